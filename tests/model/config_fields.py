"""Writes config_fields.json: the fields, defaults and other spellings of the configuration class of each family, as transformers 5.12 has them.

    python3 config_fields.py > config_fields.json
"""
import dataclasses
import json

from transformers import CONFIG_MAPPING

FAMILIES = """gpt2 gpt_neo gpt_neox opt phi llama mistral qwen2 qwen3 gemma gemma2 gemma3_text gemma3 phi3 olmo2 stablelm bert distilbert
roberta xlm-roberta camembert albert electra t5 mt5 bart marian""".split()


def fields_of(family):
    config = CONFIG_MAPPING[family]
    fields = {}
    for field in dataclasses.fields(config):
        default = None if field.default is dataclasses.MISSING else field.default
        fields[field.name] = default if isinstance(default, (bool, int, float, str, list, dict)) else None
    for spelling in config.attribute_map:
        fields.setdefault(spelling, None)
    return fields


lines = []
for family in FAMILIES:
    fields = ", ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in sorted(fields_of(family).items()))
    lines.append(f"{json.dumps(family)}: {{{fields}}}")
print("{\n" + ",\n".join(lines) + "\n}")
