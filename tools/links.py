"""Whether the links of the Markdown files of a folder lead to files in it: links.py FOLDER"""

import re
import sys
from pathlib import Path

folder = Path(sys.argv[1]).resolve()
links = dead = 0
for page in sorted(folder.rglob("*.md")):
    for link in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
        if re.match(r"\w+:", link):
            continue
        links += 1
        target = (page.parent / link).resolve()
        if not (target.is_relative_to(folder) and target.exists()):
            dead += 1
            print(f"{page.relative_to(folder)}: there is no {link}", file=sys.stderr)
print(f"{links} links, {dead} dead")
sys.exit(dead > 0)
