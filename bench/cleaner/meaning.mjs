// What a piece of Markdown says, so that two can be compared.
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

const reader = unified().use(remarkParse).use(remarkGfm).use(remarkMath).freeze()

/**
 * The blocks of a text in short. What our cleaner leaves out on purpose does not count: rules,
 * titles of links, marks in headings, and images, which are their alternative texts.
 */
export const meaningOf = (markdown) => blocksOf(reader.parse(markdown)).filter(Boolean).join('\n')

const blocksOf = (node) => node.children.map(say)

const inlineOf = (node) => node.children.map(say).join('').replace(/\s+/g, ' ').trim()

function say(node) {
  switch (node.type) {
    case 'text':
      return node.value.replace(/!\[([^\]]*)\]/g, '$1')
    case 'inlineCode':
      return `\`${node.value.trim().replace(/\s+/g, ' ')}\``
    case 'break':
      return ' '
    case 'thematicBreak':
    case 'definition':
      return ''
    case 'image':
      return node.alt ?? ''
    case 'link': {
      const text = inlineOf(node)
      return node.url === '' || text === '' ? text : `link(${decoded(node.url)})[${text}]`
    }
    case 'heading':
      return `h${node.depth}[${plain(node).replace(/\s+/g, ' ').trim()}]`
    case 'code':
      return `code(${node.lang ?? ''})[${node.value.trim()}]`
    case 'html':
    case 'math':
    case 'inlineMath':
      return `${node.type}[${node.value}]`
    case 'list':
      return `${node.ordered ? `ol${node.start ?? 1}` : 'ul'}[${blocksOf(node).filter(Boolean).join(' ')}]`
    case 'tableRow':
      return `row[${node.children.map(inlineOf).join('|').replace(/\|+$/, '')}]`
    case 'paragraph':
      return inlineOf(node)
    case 'emphasis':
    case 'strong':
    case 'delete':
      return `${node.type}[${inlineOf(node)}]`
    default:
      return `${node.type}[${blocksOf(node).filter(Boolean).join(' ')}]`
  }
}

function decoded(url) {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}

const plain = (node) =>
  node.type === 'image'
    ? (node.alt ?? '')
    : (node.value ?? node.children?.map(plain).join('') ?? '')
