import { memory } from './memory.mjs'

/** Pictures follow the theme that is chosen, as colours do. */
export function attachThemes(input) {
  const sources = [...document.querySelectorAll('picture source')]
  input.value = memory.get('theme')
  apply()
  input.addEventListener('change', () => {
    memory.set('theme', input.value)
    apply()
  })

  function apply() {
    document.documentElement.dataset.theme = input.value
    const media = { light: 'not all', dark: 'all' }[input.value] ?? '(prefers-color-scheme: dark)'
    for (const source of sources) source.media = media
  }
}
