interface Box {
  indent: number
  /** Undefined until the first line inside. */
  shift: number | undefined
  isIndented: boolean
}

const tab = '    '

/** Components and boxes around a line, each with the additional indentation of its content. */
export class OpenBoxes {
  readonly #boxes: Box[] = []
  #shift = 0
  /** Indentation that `setBack` removed from the last line. */
  taken = 0

  /** Remove the indentation of the boxes around a line. */
  setBack(line: string): string {
    this.taken = 0
    if (this.#boxes.length === 0 || line.trim() === '') return line
    const spaced = line.replace(/^\t+/, (tabs) => tab.repeat(tabs.length))
    const indent = indentOf(spaced)
    for (let box = this.#boxes.at(-1); box?.isIndented; box = this.#boxes.at(-1)) {
      if (indent - this.#shift + (box.shift ?? 0) >= box.indent + tab.length) break
      this.#pop()
    }
    const inner = this.#boxes.at(-1)
    if (inner && inner.shift === undefined && !/^\s*<\/[A-Z]/.test(spaced)) {
      inner.shift = Math.max(0, indent - this.#shift - inner.indent)
      this.#shift += inner.shift
    }
    this.taken = Math.min(indent, this.#shift)
    return spaced.slice(this.taken)
  }

  /** Enter a component by its tag line, already without indentation. */
  open(line: string): void {
    this.#boxes.push({ indent: indentOf(line), shift: undefined, isIndented: false })
  }

  close(): void {
    // An indented box ends with the box around it.
    while (this.#boxes.at(-1)?.isIndented) this.#pop()
    this.#pop()
  }

  /** Enter a box whose content is indented by four spaces. */
  openIndented(line: string): void {
    this.#boxes.push({ indent: indentOf(line), shift: tab.length, isIndented: true })
    this.#shift += tab.length
  }

  #pop(): void {
    this.#shift -= this.#boxes.pop()?.shift ?? 0
  }
}

export const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0
