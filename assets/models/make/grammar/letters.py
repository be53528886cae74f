"""Letters: to whom, what for, and from whom."""
from english import function_words
from grammar.named import name, place_name
from grammar.questions import question
from grammar.quotes import own_words


def letter(t):
    """Dear Anna, thank you for the book. I hope you are well. Yours, Ben."""
    t.say("dear")
    if t.choose(True, False):
        name(t)
    else:
        t.say(*function_words.TITLES[:4], "aunt", "uncle", "grandma", "friend", "mum", "dad")
        name(t)
    t.say(",")
    how = t.choose("thank", "hope", "write")
    if how == "thank":
        t.say_all("thank you for")
        t.say("the", "your")
        t.say("letter", "book", "present", "postcard", "photo", "help", "flowers", "email", "message", "gift", "cake", "party")
        t.say(".")
    elif how == "hope":
        t.say("I", "we")
        t.say("hope")
        t.say_all(t.choose("you are well", "you are fine", "you are happy", "you are better", "all is well", "your family is well"))
        t.say(".")
    else:
        t.say_all(t.choose("I am writing to you from", "greetings from", "we are now in", "I am in"))
        place_name(t)
        t.say(".")
    for left in range(t.choose(1, 2), 0, -1):
        t.pass_by("letter", left)
        own_sentence(t)
    t.say_all(t.choose("yours", "love", "best wishes", "see you soon", "with love", "yours sincerely", "your friend", "kind regards"))
    t.say(",")
    name(t)
    t.say(".")


def own_sentence(t):
    if t.choose((3, False), True):
        question(t)
    else:
        own_words(t, None)
        t.say(".")
