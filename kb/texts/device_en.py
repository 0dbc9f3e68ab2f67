"""English texts about the device and what is used of it."""

TEXTS: dict[str, str] = {
    "cli_profile": "what to use of this device: pi4-2gb, pi5, old-laptop, full, or a file (default: profile.yaml in "
    "the home folder, else by memory and cores)",
    "cli_memory_mb": "use at most so many MB of memory",
    "cli_context": "tokens that the answer model reads and writes together",
    "cli_no_vectors": "search by words alone",
    "cli_patience": "how long each screen may take (default 60; more for a very slow machine)",
    "profile_missing": "There is no profile {name}. Profiles: {known}, or a file.",
    "profile_bad": "{path}: «{field}» is not allowed. A profile holds memory (MB), threads, context, and model and "
    "vectors (on, off or auto).",
    "doctor_device": "Free for Almanac",
    "doctor_use_model": "Sized: model",
    "doctor_use_vectors": "Sized: meaning",
    "doctor_use_context": "Sized: context",
    "doctor_use_threads": "Sized: threads",
    "doctor_threads": "threads: {count}",
    "device_memory": "{memory} MB ({by}); cores: {cores} ({cores_by})",
    "device_unknown": "memory unknown; cores: {cores} ({cores_by})",
    "device_addresses": "address space {addresses} MB (ulimit -v)",
    "device_by_system": "system",
    "device_by_group": "limit of the service or container",
    "device_capped": "at most {memory} MB are used, as asked for",
    "sizing_quote_instead": "The answer model is off: this device has too little memory for it, so this is a quote. "
    "`almanac doctor` shows what is used.",
    "sizing_on": "on",
    "sizing_off": "off",
    "sizing_fits": "needs {needed} MB",
    "sizing_too_small": "needs {needed} MB, {memory} MB are free; --profile full turns it on all the same",
    "sizing_addresses": "the limit of address space (ulimit -v) is too low",
    "sizing_wished": "as asked for",
    "sizing_absent": "no such model",
    "sizing_tokens": "{tokens} tokens",
    "sizing_standard": "standard",
    "sizing_shortened": "shortened to fit into memory",
    "sizing_budget": "for the wanted --budget",
    "sizing_cores": "cores: {cores}; one is left over where there are several",
}
