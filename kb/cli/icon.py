"""The program's icon: a sprout that grows out of an open book. scripts/make_icon.py draws the PNGs from it."""

SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256">
  <rect x="8" y="8" width="240" height="240" rx="48" fill="#14532d"/>
  <path d="M128 202 C104 180 72 174 40 178 L40 122 C74 118 106 126 128 148 C150 126 182 118 216 122 L216 178
           C184 174 152 180 128 202 Z" fill="#fefce8"/>
  <path d="M128 148 L128 202" fill="none" stroke="#14532d" stroke-width="6" stroke-linecap="round"/>
  <path d="M58 142 C76 142 94 147 110 158 M58 158 C76 158 94 163 110 174 M198 142 C180 142 162 147 146 158
           M198 158 C180 158 162 163 146 174" fill="none" stroke="#a3a38a" stroke-width="5" stroke-linecap="round"/>
  <path d="M128 148 C128 122 128 104 128 84" fill="none" stroke="#86efac" stroke-width="10" stroke-linecap="round"/>
  <path d="M128 92 C96 94 76 78 74 48 C108 44 128 60 128 92 Z" fill="#4ade80"/>
  <path d="M128 108 C130 78 150 62 184 64 C184 96 162 112 128 108 Z" fill="#86efac"/>
</svg>
"""
