// Preloaded: SIGUSR2 sets the clock of this process ten minutes ahead, then back, then right again.
const offsets = [0, 600_000, -600_000]
let at = 0
process.on('SIGUSR2', () => {
  at = (at + 1) % offsets.length
})
const { now } = Date
globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [now() + offsets[at]] : args, made),
  apply: (target) => new target(now() + offsets[at]).toString(),
  get: (target, name) => (name === 'now' ? () => now() + offsets[at] : Reflect.get(target, name)),
})
