// Runs before the page is drawn.

// Browsers load no modules from files, so the page cannot begin.
if (location.protocol === 'file:') {
  addEventListener('DOMContentLoaded', () => {
    document.body.textContent =
      'This page needs a web server: browsers do not let a page read files beside it. Copy the folder to one that ' +
      'answers range requests, such as GitHub Pages, S3, nginx or Apache. On this computer, "npx http-server" or ' +
      '"caddy file-server" in this folder works ("python3 -m http.server" does not answer range requests); ' +
      '"ign serve A.ign" shows the same page without this folder.';
  });
}

// Applies what the user chose (src/preferences.ts keeps it).
try {
  for (const name of ['theme', 'board']) {
    const chosen = localStorage.getItem(name);
    if (chosen) document.documentElement.dataset[name] = chosen;
  }
} catch {
  // Storage may be forbidden; the system's theme and the first board are used.
}
