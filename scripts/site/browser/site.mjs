import { attachThemes } from './choose-theme.mjs'
import { attachTabs } from './tabs.mjs'

attachThemes(document.querySelector('.theme'))
for (const group of document.querySelectorAll('.tabs')) attachTabs(group)
for (const block of document.querySelectorAll('article pre')) addCopyButton(block)

function addCopyButton(block) {
  const frame = document.createElement('div')
  frame.className = 'code'
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    const done = await navigator.clipboard.writeText(block.textContent.trimEnd()).then(
      () => 'Copied',
      () => 'Not allowed',
    )
    button.textContent = done
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1_500)
  })
  block.replaceWith(frame)
  frame.append(block, button)
}

const target = document.getElementById(location.hash.slice(1))
if (target?.parentElement.className === 'moved') location.replace(target.querySelector('a').href)

// Scroll a long menu to the current page.
const menu = document.querySelector('.pages')
const here = menu.querySelector('[aria-current]')
if (here) menu.scrollTop = here.offsetTop - menu.clientHeight / 2

const input = document.querySelector('.search input')

// Load the search when the input gets focus.
input.addEventListener(
  'focus',
  () => import('./search.mjs').then(({ attachSearch }) => attachSearch(input)),
  { once: true },
)

document.addEventListener('keydown', (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  input.focus()
  input.select()
})
