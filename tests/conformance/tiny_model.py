"""A two-layer causal model and its tokenizer, made here: nothing is downloaded, and a GRPO step takes a second."""

# Runs elsewhere: what it imports is not installed here.
# pyright: reportMissingImports=false, reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false

from pathlib import Path


def make(folder: Path) -> str:
    """Writes model and tokenizer (byte-level, ChatML template with tool calls) into `folder`; gives its path."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*specials, *letters])}
    inner = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    inner.add_special_tokens(specials)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="<|im_end|>", pad_token="<|endoftext|>", padding_side="left"
    )
    # `arguments|tojson` and `arguments.items()`: a template that, like most, wants a mapping and fails on JSON text.
    tokenizer.chat_template = (
        "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}"
        "{% for c in m.tool_calls or [] %}<call>{{ c.function.name }}"
        "{% for k, v in c.function.arguments.items() %} {{ k }}={{ v|tojson }}{% endfor %}</call>{% endfor %}"
        "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=len(vocabulary), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=2048, eos_token_id=2, pad_token_id=0, tie_word_embeddings=True,
    )  # fmt: skip
    Qwen2ForCausalLM(config).save_pretrained(folder)
    return str(folder)
