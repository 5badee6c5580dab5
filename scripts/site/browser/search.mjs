import { createSectionRanker, excerptOf, termsOf } from '@pith-mcp/scorer'

const maxResults = 8

/** Make an input a combobox over the search index of the site; the input has the index URL. */
export async function attachSearch(input) {
  const list = document.createElement('div')
  const status = document.createElement('p')
  Object.assign(list, { id: 'results', role: 'listbox', ariaLabel: 'Results', hidden: true })
  status.role = 'status'
  input.after(list, status)
  const attributes = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': 'results' }
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)
  let options = []
  let current = -1
  show()

  const find = await loadIndex(new URL(input.dataset.index, document.baseURI)).catch(
    () => undefined,
  )
  input.addEventListener('input', search)
  input.addEventListener('focus', search)
  input.addEventListener('keydown', onKey)
  list.addEventListener('click', () => show())
  input.parentElement.addEventListener('focusout', ({ relatedTarget }) => {
    if (!input.parentElement.contains(relatedTarget)) show()
  })
  search()

  function search() {
    const query = input.value.trim()
    if (query === '') return show()
    const { results, note } = find?.(query) ?? {
      results: [],
      note: 'The index could not be loaded. Reload the page to try again.',
    }
    show(
      results.map((result, at) => optionOf(result, at, query)),
      note,
    )
    choose(results.length > 0 ? 0 : -1)
  }

  /** The status is visible only without results, and always announced to screen readers. */
  function show(next = [], note = '') {
    options = next
    choose(-1)
    list.replaceChildren(...next)
    list.hidden = next.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
    status.className = list.hidden ? 'note' : 'sr-only'
    status.textContent = note
  }

  function choose(at) {
    options[current]?.setAttribute('aria-selected', 'false')
    current = at
    const option = options[at]
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
  }

  function onKey(event) {
    const { length } = options
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && length === 0) search()
    else if (step) choose((current + step + length) % length)
    else if (event.key === 'Enter' && options[current]) options[current].click()
    else if (event.key === 'Escape' && status.textContent !== '') show()
    else return
    event.preventDefault()
  }
}

/** Search the sections of the site: results and a status text. */
async function loadIndex(url) {
  const { docs } = await (await fetch(url)).json()
  const titles = new Map(docs.map(({ location, title }) => [location, title]))
  const sections = docs.map((entry) => {
    const [page] = entry.location.split('#')
    const href = new URL(`../${entry.location}`, url).href
    return { ...entry, href, pageTitle: titles.get(page) ?? '' }
  })
  const ranker = createSectionRanker(sections, {
    heading: ({ title }) => title,
    text: ({ text }) => text,
    path: ({ pageTitle }) => pageTitle,
  })
  return (query) => {
    const results = ranker.rank(query, { limit: maxResults }).map(({ item }) => item)
    if (results.length > 0)
      return { results, note: `${results.length} ${results.length === 1 ? 'result' : 'results'}` }
    return { results, note: `Nothing found for “${query}”.` }
  }
}

function optionOf({ title, pageTitle, text, href }, at, query) {
  const option = document.createElement('a')
  Object.assign(option, { id: `result-${at}`, role: 'option', href, tabIndex: -1 })
  const name = document.createElement('strong')
  name.textContent = title === pageTitle ? title : `${pageTitle} › ${title}`
  const excerpt = document.createElement('span')
  excerpt.append(...marked(excerptOf(text, query, 140), query))
  option.append(name, excerpt)
  return option
}

/** Mark the words of the query. */
function marked(text, query) {
  const wanted = new Set(termsOf(query))
  return text.split(/([\p{L}\p{N}_-]+)/u).map((part) => {
    if (!termsOf(part).some((term) => wanted.has(term))) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}
