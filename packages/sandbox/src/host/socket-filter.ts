/** Numbers of system calls, and the kernel's number of the architecture. */
interface Processor {
  audit: number
  socket: number
  /** add_key, request_key, keyctl. */
  keys: readonly [number, number, number]
  /** Number at which a second table of the same calls begins. */
  otherAbi?: number
}

/** What to do where bubblewrap is not available. */
export const elsewhere = 'run the server in a container, by a command in sandbox.by'

const generic = { socket: 198, keys: [217, 218, 219] } as const

const processors: Readonly<Record<string, Processor>> = {
  x64: { audit: 0xc000003e, socket: 41, keys: [248, 249, 250], otherAbi: 0x40000000 },
  arm64: { ...generic, audit: 0xc00000b7 },
  riscv64: { ...generic, audit: 0xc00000f3 },
  loong64: { ...generic, audit: 0xc0000102 },
}

/** The same number on all architectures; opens sockets that no filter sees. */
const ioUringSetup = 425
/** IPv4, IPv6 and netlink. */
const families = [2, 10, 16]

const load = 0x20
const isEqual = 0x15
const isAtLeast = 0x35
const end = 0x06
const allow = 0x7fff0000
const refuse = (errno: number): number => 0x00050000 | errno
const notPermitted = refuse(1)
const notThere = refuse(38)
const noSuchFamily = refuse(97)

/** Offsets in the kernel's `seccomp_data`. */
const callNumber = 0
const architecture = 4
const firstArgument = 16

/**
 * A seccomp filter for what namespaces do not isolate: the user's keyring and, without a network,
 * sockets of other families, such as those of D-Bus, Docker and key agents, which are files.
 * @throws {Error} for an unknown architecture
 */
export function socketFilter(network: boolean, arch: string = process.arch): Buffer {
  const processor = Object.hasOwn(processors, arch) ? processors[arch] : undefined
  if (processor === undefined)
    throw new Error(
      `bubblewrap is supported on ${Object.keys(processors).join(', ')}, not on ${arch}: ${elsewhere}`,
    )
  const { audit, socket, keys, otherAbi } = processor
  /** Answers the system call `number` with `answer`. */
  const without = (number: number, answer: number): Instruction[] => [
    [isEqual, number, 0, 1],
    [end, answer],
  ]
  return assemble([
    [load, architecture],
    [isEqual, audit, 1, 0],
    [end, notThere],
    [load, callNumber],
    ...(otherAbi === undefined
      ? []
      : ([
          [isAtLeast, otherAbi, 0, 1],
          [end, notThere],
        ] satisfies Instruction[])),
    ...without(ioUringSetup, notThere),
    ...keys.flatMap((key) => without(key, notPermitted)),
    ...(network
      ? []
      : ([
          [isEqual, socket, 0, families.length + 2],
          [load, firstArgument],
          ...families.map((family, at): Instruction => [isEqual, family, families.length - at, 0]),
          [end, noSuchFamily],
        ] satisfies Instruction[])),
    [end, allow],
  ])
}

/** Operation, operand, and how many instructions to skip if it is true and if it is false. */
type Instruction = [code: number, value: number, ifTrue?: number, ifFalse?: number]

function assemble(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [index, [code, value, ifTrue = 0, ifFalse = 0]] of instructions.entries()) {
    const at = index * 8
    bytes.writeUInt16LE(code, at)
    bytes.writeUInt8(ifTrue, at + 2)
    bytes.writeUInt8(ifFalse, at + 3)
    bytes.writeUInt32LE(value >>> 0, at + 4)
  }
  return bytes
}
