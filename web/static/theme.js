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

// Applies the theme that the user chose (src/theme.ts keeps it).
try {
  const theme = localStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's theme is used.
}
