/** What a reader has chosen, for the next page. A browser may refuse to store it. */
export const memory = {
  get(name) {
    try {
      return localStorage.getItem(name) ?? ''
    } catch {
      return ''
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(name, value)
    } catch {
      // The choice holds for this page.
    }
  },
}
