/**
 * Light and dark. The system decides until the user chooses; static/theme.js applies the choice before the page
 * is drawn.
 */

const KEY = 'theme';

const dark = (): boolean => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
};

/** Changes to the other of the two, and keeps it. */
export function toggleTheme(): void {
  const next = dark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Storage may be forbidden; the choice then lasts until the page is left.
  }
}
