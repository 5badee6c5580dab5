export type Theme = 'system' | 'light' | 'dark'

const key = 'pith-theme'

export function readTheme(): Theme {
  try {
    const theme = localStorage.getItem(key)
    return theme === 'light' || theme === 'dark' ? theme : 'system'
  } catch {
    return 'system'
  }
}

/** Applies a theme, and stores it if the browser allows that. */
export function showTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {
    // The theme applies to this page only.
  }
  window.dispatchEvent(new Event('themechange'))
}
