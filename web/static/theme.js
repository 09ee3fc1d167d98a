// Applies the theme that the user chose, before the page is drawn (src/theme.ts keeps it).
try {
  const theme = localStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's theme is used.
}
