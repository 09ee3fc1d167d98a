/** What the user has chosen for all visits. The browser keeps it; where it does not, it lasts until the page is left. */

const chosen = new Map<string, string>();

/** The value of a setting; empty if there is none. */
export function setting(name: string): string {
  const own = chosen.get(name);
  if (own !== undefined) return own;
  try {
    return localStorage.getItem(name) ?? '';
  } catch {
    return '';
  }
}

export function keepSetting(name: string, value: string): void {
  chosen.set(name, value);
  try {
    localStorage.setItem(name, value);
  } catch {
    // Storage may be forbidden.
  }
}
