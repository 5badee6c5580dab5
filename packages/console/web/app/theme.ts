export type Theme = 'system' | 'light' | 'dark'

const key = 'pith-theme'

export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(key)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    return 'system'
  }
}

/** Shows it, and remembers it where the browser lets us. */
export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {
    // It holds for this page then.
  }
  window.dispatchEvent(new Event('themechange'))
}
