"""Made by scripts/fit_distill.py: what makes a sentence vector a lesson, one signed byte a number."""

EMBEDDER = "0f66371190c3f2f0550950db2112d7dfa32224a7c95ac7b980ab0d3edde1f241"
SCALE = 0.05986
BIAS = -0.968987
DIRECTION = (
    "t9izTiFH2tAmIOr2/y0fGgL5PSPiChAEO+YT1PfbLcffCvu3+SIHydcS5vv45+oINAj5zwwAzCHMHSTq5ABE8ydoGxAF7uoYKBLq+xGU9fZBEv"
    "rh4uzi2CTdHtgt+0jgB+v05h4g3ckmI+r2ITa61hivB+v6Eb/+DusD6gQPQ+60Fpsg00T1Efv3+gDA7BsPIxI5+BPgEc9MEOrGxSnm3f0P8O8l"
    "8Rb31BxNADwAIw4FKBUvFN1E5eIULPIr78cK8VrUygIkAhlPFvT33fRDMg4HGvMJBz7YCfPlNBLs94E/EPv5Af62Mh8P/tL2QRvikdD8+eXaFO"
    "TgDQr7MTfMGNAw/fcRQUcCNer0AxXf8VCyAN0OxMcK/Q4J+vsIHRI77+oN4e/1S9z+cjbUOSfK7PkICQ0I8RYtKdb6Ed4TwtEZ3e7YUlMA9tjQ"
    "2wz77+RDFQzC/wPlzvkh+9jaIfLMyzXvlDce480TAfIHA/of+ViLMf/eGitOSu8HF+UdMboc"
)
