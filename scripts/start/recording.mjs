import { escapeHtml } from '../site/escape-html.mjs'

/** Pixels: of a character at the font size below, of a line, and around the text. */
const [column, lineHeight, margin, bar] = [8.43, 21, 20, 34]
const columns = 71

const themes = {
  light: {
    ...{ back: '#ffffff', frame: '#d0d7de', bar: '#f6f8fa', text: '#1f2328' },
    ...{ quiet: '#59636e', label: '#0550ae', good: '#116329', bad: '#a40e26' },
  },
  dark: {
    ...{ back: '#0d1117', frame: '#3d444d', bar: '#151b23', text: '#e6edf3' },
    ...{ quiet: '#9198a1', label: '#79c0ff', good: '#7ee787', bad: '#ff9492' },
  },
}

export const themeNames = Object.keys(themes)

/** What is coloured: the class of each group of a pattern that fits a line. */
const patterns = [
  [/^(\$ )(.*)$/, ['quiet', 'strong']],
  [/^(Question|Source|Answer)(.*)$/, ['label', '']],
  [/^( {2}│)(.*)$/, ['quiet', '']],
  [/^(the whole page.*?)( [\d,]+)$/, ['', 'bad']],
  [/^(with Pith.*?)( [\d,]+ .*)$/, ['', 'good']],
  [/^(What a model reads.*)$/, ['quiet']],
  [/^(Ready.*)$/, ['quiet']],
]

/** Draw lines of a terminal as an SVG that needs no script, no motion and no font of its own. */
export function drawRecording(lines, themeName) {
  const theme = themes[themeName]
  const width = Math.ceil(columns * column + 2 * margin)
  const height = bar + lines.length * lineHeight + margin + 8
  const dots = [0, 1, 2].map(
    (at) => `<circle cx="${margin + at * 18}" cy="${bar / 2}" r="5" fill="${theme.frame}"/>`,
  )
  const classes = ['quiet', 'label', 'good', 'bad'].map((name) => `.${name}{fill:${theme[name]}}`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">A terminal: npm start asks the documentation of undici one question</title>
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:${theme.text};white-space:pre}
${classes.join('')}.strong,.good{font-weight:600}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${theme.back}" stroke="${theme.frame}"/>
<path d="M.5 ${bar}V8.5a8 8 0 0 1 8-8h${width - 17}a8 8 0 0 1 8 8V${bar}z" fill="${theme.bar}" stroke="${theme.frame}"/>
${dots.join('')}
${lines.map(drawLine).join('\n')}
</svg>
`
}

function drawLine(line, at) {
  const y = bar + 8 + (at + 1) * lineHeight - 5
  return `<text x="${margin}" y="${y}" xml:space="preserve">${colour(line)}</text>`
}

function colour(line) {
  const [pattern, classes] = patterns.find(([pattern]) => pattern.test(line)) ?? [/^(.*)$/, ['']]
  const [, ...groups] = pattern.exec(line)
  return groups
    .map((group, at) => {
      const text = escapeHtml(group)
      return classes[at] ? `<tspan class="${classes[at]}">${text}</tspan>` : text
    })
    .join('')
}

/** Lines of `npm start --json` up to what the answer costs, which are those that a picture has. */
export const recordedLines = ({ lines, costsEnd }) => lines.slice(0, costsEnd)
