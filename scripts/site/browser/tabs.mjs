import { memory } from './memory.mjs'

/** Make tabs of the sections in a group, by the ARIA pattern; a link to a section opens its tab. */
export function attachTabs(group) {
  const name = `tabs ${group.dataset.name}`
  const list = document.createElement('div')
  list.role = 'tablist'
  list.ariaLabel = `Choose: ${group.dataset.name}`
  const panels = [...group.querySelectorAll(':scope > .panel')]
  const tabs = panels.map((panel) => {
    const heading = panel.firstElementChild
    const tab = document.createElement('button')
    const title = heading.firstChild.textContent
    Object.assign(tab, { id: `tab-${heading.id}`, type: 'button', role: 'tab', textContent: title })
    panel.id = `panel-${heading.id}`
    tab.setAttribute('aria-controls', panel.id)
    panel.role = 'tabpanel'
    panel.setAttribute('aria-labelledby', tab.id)
    heading.hidden = true
    tab.addEventListener('click', () => select(tab, true))
    return tab
  })
  list.append(...tabs)
  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(document.activeElement)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const tab = tabs.at(to % tabs.length)
    select(tab, true)
    tab.focus()
  })
  group.prepend(list)
  const last = memory.get(name)
  select(tabs.find(({ textContent }) => textContent === last) ?? tabs[0])
  addEventListener('hashchange', openTarget)
  openTarget()

  function select(tab, isChoice = false) {
    for (const [at, panel] of panels.entries()) {
      const isSelected = tabs[at] === tab
      tabs[at].setAttribute('aria-selected', String(isSelected))
      tabs[at].tabIndex = isSelected ? 0 : -1
      panel.hidden = !isSelected
    }
    if (isChoice) memory.set(name, tab.textContent)
  }

  function openTarget() {
    const id = decodeURIComponent(location.hash.slice(1))
    const at = panels.findIndex((panel) => id !== '' && panel.querySelector(`#${CSS.escape(id)}`))
    if (at < 0) return
    select(tabs[at])
    list.scrollIntoView()
  }
}
