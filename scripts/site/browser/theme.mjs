// Runs before the first paint, so that no page is drawn in the other theme.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') ?? ''
} catch {
  // Without storage, the theme is that of the system.
}
