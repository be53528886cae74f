"""Words as people write them."""


def text_of(words):
    """Words joined as people write them, and the byte range of each (all is ASCII)."""
    text, spans, is_open = "", [], False
    for word in words:
        closes = word == '"' and is_open
        is_glued = not text or word in (",", ".", "?", "!", ":") or word[0] == "'" or closes or is_open and text.endswith(' "') or text == '"'
        text += word if is_glued else " " + word
        spans.append((len(text) - len(word), len(text)))
        is_open ^= word == '"'
    return text, spans
