/** Components and boxes around a line, each with the additional indentation of its content. */
export interface OpenBoxes {
  /** Remove the indentation of the boxes around a line. */
  setBack(line: string): string
  readonly taken: number
  /** Enter a component by its tag line, already without indentation. */
  open(line: string): void
  close(): void
  /** Enter a box whose content is indented by four spaces. */
  openIndented(line: string): void
}

interface Box {
  indent: number
  /** Undefined until the first line inside. */
  shift: number | undefined
  isIndented: boolean
}

const tab = '    '

export function createOpenBoxes(): OpenBoxes {
  const boxes: Box[] = []
  let shift = 0
  let taken = 0
  const pop = (): void => {
    shift -= boxes.pop()?.shift ?? 0
  }

  return {
    get taken() {
      return taken
    },
    setBack(line) {
      taken = 0
      if (boxes.length === 0 || line.trim() === '') return line
      const spaced = line.replace(/^\t+/, (tabs) => tab.repeat(tabs.length))
      const indent = indentOf(spaced)
      for (let box = boxes.at(-1); box?.isIndented; box = boxes.at(-1)) {
        if (indent - shift + (box.shift ?? 0) >= box.indent + tab.length) break
        pop()
      }
      const inner = boxes.at(-1)
      if (inner && inner.shift === undefined && !/^\s*<\/[A-Z]/.test(spaced)) {
        inner.shift = Math.max(0, indent - shift - inner.indent)
        shift += inner.shift
      }
      taken = Math.min(indent, shift)
      return spaced.slice(taken)
    },
    open: (line) =>
      void boxes.push({ indent: indentOf(line), shift: undefined, isIndented: false }),
    close() {
      // An indented box ends with the box around it.
      while (boxes.at(-1)?.isIndented) pop()
      pop()
    },
    openIndented(line) {
      boxes.push({ indent: indentOf(line), shift: tab.length, isIndented: true })
      shift += tab.length
    },
  }
}

export const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0
