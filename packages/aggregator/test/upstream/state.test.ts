import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Effect, type State, type StateEvent, transition } from '../../src/upstream/state.ts'

type Event = StateEvent<number, string>

/** What a caller, a start and a connection may do, in any order. */
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ name: fc.constant('call' as const), pauseMs: fc.constantFrom(0, 50) }),
  },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('leave' as const), pick: fc.nat() }) },
  { weight: 4, arbitrary: fc.constant({ name: 'pauseOver' as const }) },
  { weight: 4, arbitrary: fc.constant({ name: 'opened' as const }) },
  { weight: 2, arbitrary: fc.constant({ name: 'failed' as const, error: new Error('no') }) },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('lost' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.constant({ name: 'idle' as const }) },
  { weight: 1, arbitrary: fc.constant({ name: 'stop' as const }) },
) as never

/** A server whose parts answer as the events say, and what became of its callers and connections. */
class Model {
  state: State<number, string> = { name: 'stopped' }
  readonly entered: number[] = []
  readonly left = new Set<number>()
  readonly settled: number[] = []
  readonly opened: string[] = []
  readonly gone: string[] = []
  pauses = 0
  starts = 0

  /** The event with its caller or connection filled in; undefined if it cannot happen now. */
  completed(given: Event & { pick?: number }): Event | undefined {
    switch (given.name) {
      case 'call':
        this.entered.push(this.entered.length)
        return { ...given, caller: this.entered.length - 1 }
      case 'leave': {
        const caller = (given.pick ?? 0) % Math.max(1, this.entered.length)
        if (caller < this.entered.length && !this.settled.includes(caller)) this.left.add(caller)
        return { name: 'leave', caller }
      }
      case 'pauseOver':
        return this.pauses-- > 0 ? given : this.never('pauses')
      case 'opened':
        if (this.starts-- <= 0) return this.never('starts')
        this.opened.push(`connection ${this.opened.length}`)
        return { name: 'opened', connection: this.opened.at(-1) ?? '' }
      case 'failed':
        return this.starts-- > 0 ? given : this.never('starts')
      case 'lost': {
        const open = this.opened.filter((one) => !this.gone.includes(one))
        const connection = open[(given.pick ?? 0) % Math.max(1, open.length)]
        if (connection === undefined) return undefined
        this.gone.push(connection)
        return { name: 'lost', connection }
      }
      default:
        return given
    }
  }

  never(count: 'pauses' | 'starts'): undefined {
    this[count] = 0
    return undefined
  }

  carryOut(effect: Effect<number, string>): void {
    if (effect.name === 'pause') this.pauses++
    if (effect.name === 'connect') this.starts++
    if (effect.name === 'close') this.gone.push(effect.connection)
    if (effect.name === 'resolve') expect(this.gone).not.toContain(effect.connection)
    if (effect.name === 'resolve' || effect.name === 'reject') this.settled.push(...effect.callers)
  }

  run(given: Event): void {
    const event = this.completed(given)
    if (event === undefined) return
    const { state, effects } = transition(this.state, event)
    this.state = state
    for (const effect of effects) this.carryOut(effect)
  }
}

test('no transition loses a waiting call, or a connection', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const model = new Model()
      for (const one of events) {
        model.run(one)
        const { state, entered, settled, left, opened, gone } = model
        const waiting = 'callers' in state ? [...state.callers] : []
        // Each caller is settled once, or has left, or waits.
        expect(new Set(settled).size).toBe(settled.length)
        for (const caller of entered)
          expect(
            [settled.includes(caller), left.has(caller), waiting.includes(caller)].filter(Boolean),
          ).toHaveLength(1)
        // Who waits is waiting for something that will happen.
        if (state.name === 'pausing') expect(model.pauses).toBe(1)
        if (state.name === 'starting') expect(model.starts).toBe(1)
        if (state.name === 'ended') expect(waiting).toEqual([])
        // Each connection is in the state, or was lost or closed once.
        const open = state.name === 'ready' ? [state.connection] : []
        expect([...gone, ...open].sort()).toEqual([...opened].sort())
      }
    }),
    { numRuns: 2_000 },
  )
})

test('an instance that was stopped stays so, and refuses calls', () => {
  const ended = transition<number, string>({ name: 'ready', connection: 'c' }, { name: 'stop' })
  expect(ended).toEqual({
    state: { name: 'ended' },
    effects: [{ name: 'close', connection: 'c' }],
  })
  expect(transition(ended.state, { name: 'call', caller: 1, pauseMs: 0 })).toEqual({
    state: { name: 'ended' },
    effects: [{ name: 'reject', callers: [1] }],
  })
})
