const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
/** Milliseconds between two lines about the same step, where lines cannot be rewritten. */
const pause = 15_000

/**
 * What is being done now: one line that is rewritten in a terminal, and elsewhere a line for each
 * step and for steps that take long.
 */
export function createProgress(stream = process.stderr) {
  const isRewritten = stream.isTTY && process.env.TERM !== 'dumb'
  let step = ''
  let detail = ''
  let started = 0
  let printed = 0
  let frame = 0

  const render = () => {
    const seconds = Math.round((performance.now() - started) / 1000)
    const text = `${frames[frame++ % frames.length]} ${step} … ${seconds} s${detail && `  ${detail}`}`
    stream.write(`\r\x1b[K${text.slice(0, (stream.columns || 80) - 1)}`)
  }
  const timer = isRewritten ? setInterval(() => step && render(), 100) : undefined
  timer?.unref()

  return {
    begin(name) {
      step = name
      detail = ''
      started = printed = performance.now()
      if (!isRewritten) stream.write(`${step} …\n`)
    },
    update(text) {
      detail = text
      if (isRewritten || performance.now() - printed < pause) return
      printed = performance.now()
      stream.write(`${step} … ${detail}\n`)
    },
    /** Nothing of it stays in a terminal. */
    end() {
      clearInterval(timer)
      if (isRewritten && step) stream.write('\r\x1b[K')
      step = ''
    },
  }
}
