"""The grammar of the demo texts, a module for each phenomenon. passages.py is the door; writer.py says how it writes and how it reads."""
