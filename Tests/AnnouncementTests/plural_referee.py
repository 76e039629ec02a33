"""Says which plural form CLDR picks: for each catalogue given, each message with a count, each count.

Reads .po files with Babel; prints a JSON object a line: language, one, other, count, text.
Exits with 69 when Babel is not installed.
"""

import json
import pathlib
import sys

try:
    from babel import Locale
    from babel.messages.pofile import read_po
except ImportError:
    sys.exit(69)

# The order in which a catalogue lists the forms of the categories that whole numbers have.
ORDER = ["zero", "one", "two", "few", "many", "other"]


def main(counts, paths):
    for path in paths:
        language = pathlib.Path(path).stem
        rule = Locale.parse(language).plural_form
        used = {rule(n) for n in [*range(0, 1001), 10_000, 1_000_000, 2_000_000]}
        forms = [category for category in ORDER if category in used]
        with open(path, "rb") as file:
            catalogue = read_po(file)
        for message in catalogue:
            if not isinstance(message.id, tuple):
                continue
            one, other = message.id
            for count in counts:
                print(
                    json.dumps(
                        {
                            "language": language,
                            "one": one,
                            "other": other,
                            "count": count,
                            "text": message.string[forms.index(rule(count))],
                        }
                    )
                )


main([int(n) for n in sys.argv[1].split(",")], sys.argv[2:])
