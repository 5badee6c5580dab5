/**
 * The states of one instance of a server, and the only function that changes them.
 *
 * | state    | call     | leave    | `pauseOver` | opened  | failed  | lost    | idle           | stop          |
 * | -------- | -------- | -------- | --------- | ------- | ------- | ------- | -------------- | ------------- |
 * | stopped  | pausing or starting |          |    | close   |         |         |                | ended         |
 * | pausing  | + caller | − caller | starting  | close   |         |         |                | ended, reject |
 * | starting | + caller | − caller |           | ready, resolve | stopped, reject | |        | ended, reject |
 * | ready    | resolve  |          |           | close   |         | stopped | stopped, close | ended, close  |
 * | ended    | reject   |          |           | close   |         |         |                |               |
 *
 * A caller is settled once, or it is in `callers`. A connection that was opened is in the state, or
 * it was lost, or it is closed.
 */
export type State<Caller, Connection> =
  | { readonly name: 'stopped' | 'ended' }
  | { readonly name: 'pausing' | 'starting'; readonly callers: ReadonlySet<Caller> }
  | { readonly name: 'ready'; readonly connection: Connection }

export type StateEvent<Caller, Connection> =
  /** A call needs the connection; `pauseMs` is the backoff before a start. */
  | { readonly name: 'call'; readonly caller: Caller; readonly pauseMs: number }
  /** A caller no longer waits. */
  | { readonly name: 'leave'; readonly caller: Caller }
  | { readonly name: 'pauseOver' }
  | { readonly name: 'opened'; readonly connection: Connection }
  | { readonly name: 'failed'; readonly error: unknown }
  /** The connection ended on its own. */
  | { readonly name: 'lost'; readonly connection: Connection }
  /** No call for a while: the next one starts the server again. */
  | { readonly name: 'idle' }
  /** The instance ends for good. */
  | { readonly name: 'stop' }

export type Effect<Caller, Connection> =
  | { readonly name: 'pause'; readonly ms: number }
  | { readonly name: 'connect' }
  | { readonly name: 'close'; readonly connection: Connection }
  | {
      readonly name: 'resolve'
      readonly callers: Iterable<Caller>
      readonly connection: Connection
    }
  /** Without an error: the instance has ended. */
  | { readonly name: 'reject'; readonly callers: Iterable<Caller>; readonly error?: unknown }

/** The next state, and what to do on the way. */
export interface Transition<Caller, Connection> {
  readonly state: State<Caller, Connection>
  readonly effects: readonly Effect<Caller, Connection>[]
}

export function transition<Caller, Connection>(
  state: State<Caller, Connection>,
  event: StateEvent<Caller, Connection>,
): Transition<Caller, Connection> {
  switch (event.name) {
    case 'call':
      return onCall(state, event.caller, event.pauseMs)
    case 'leave':
      return 'callers' in state
        ? to({ ...state, callers: without(state.callers, event.caller) })
        : to(state)
    case 'pauseOver':
      return state.name === 'pausing'
        ? to({ name: 'starting', callers: state.callers }, { name: 'connect' })
        : to(state)
    case 'opened':
      return onOpened(state, event.connection)
    case 'failed':
      return state.name === 'starting'
        ? to({ name: 'stopped' }, { name: 'reject', callers: state.callers, error: event.error })
        : to(state)
    case 'lost':
      return state.name === 'ready' && state.connection === event.connection
        ? to({ name: 'stopped' })
        : to(state)
    case 'idle':
      return state.name === 'ready'
        ? to({ name: 'stopped' }, { name: 'close', connection: state.connection })
        : to(state)
    case 'stop':
      return onStop(state)
  }
}

function onCall<Caller, Connection>(
  state: State<Caller, Connection>,
  caller: Caller,
  pauseMs: number,
): Transition<Caller, Connection> {
  switch (state.name) {
    case 'stopped': {
      const callers = new Set([caller])
      return pauseMs > 0
        ? to({ name: 'pausing', callers }, { name: 'pause', ms: pauseMs })
        : to({ name: 'starting', callers }, { name: 'connect' })
    }
    case 'pausing':
    case 'starting':
      return to({ ...state, callers: new Set([...state.callers, caller]) })
    case 'ready':
      return to(state, { name: 'resolve', callers: [caller], connection: state.connection })
    case 'ended':
      return to(state, { name: 'reject', callers: [caller] })
  }
}

function onOpened<Caller, Connection>(
  state: State<Caller, Connection>,
  connection: Connection,
): Transition<Caller, Connection> {
  if (state.name !== 'starting') return to(state, { name: 'close', connection })
  const { callers } = state
  return to({ name: 'ready', connection }, { name: 'resolve', callers, connection })
}

function onStop<Caller, Connection>(
  state: State<Caller, Connection>,
): Transition<Caller, Connection> {
  if (state.name === 'ready')
    return to({ name: 'ended' }, { name: 'close', connection: state.connection })
  return 'callers' in state
    ? to({ name: 'ended' }, { name: 'reject', callers: state.callers })
    : to({ name: 'ended' })
}

const to = <Caller, Connection>(
  state: State<Caller, Connection>,
  ...effects: Effect<Caller, Connection>[]
): Transition<Caller, Connection> => ({ state, effects })

const without = <T>(items: ReadonlySet<T>, item: T): Set<T> =>
  new Set([...items].filter((member) => member !== item))
