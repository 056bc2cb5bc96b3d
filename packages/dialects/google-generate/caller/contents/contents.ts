import { invalidRequest, type ContentBlock, type Message, type ReasoningBlock } from '@turnpike/protocol'
import { objectMember, textMember } from '../../../requests/fields/typed-members.ts'
import { kindOf, parsePart } from './content.ts'
import { isForeignProof, parseProofs } from '../reasoning-proof.ts'
import { asList, type GenerateRequest, type SaidContent, type SaidPart } from '../request-schema.ts'

/** A neutral message, and its path in the caller's body. */
export interface Placed {
  message: Message
  /** `systemInstruction`, `contents[2]`, or `contents[2].parts[0]` for a tool's result. */
  path: string
  /** The path of the part for each block of its content. */
  blocks: string[]
}

/** A call without a result so far. */
interface OpenCall {
  /** The call's own id from the caller, or one that the gateway made. */
  id: string
  name: string
}

/**
 * Parses the conversation: instructions first, then the turns. Results of functions become messages of their
 * own. Each belongs to the call that it names, or to the first open call of its function.
 * @throws {GatewayError} 400 that names the wrong member: `contents[2].parts[0].functionCall.name`
 */
export function parseContents(body: GenerateRequest): Placed[] {
  const placed: Placed[] = []
  addInstructions(body.systemInstruction, placed)
  let open: OpenCall[] = []
  let answer: FunctionAnswer[] = []
  for (const [index, content] of asList(body.contents).entries()) {
    const path = `contents[${index}]`
    const role = content.role ?? 'user'
    if (role === 'model') {
      answer.push({ content, index })
      continue
    }
    if (answer.length > 0) open = addAnswer(answer, placed)
    answer = []
    if (role === 'user' || role === 'function' || role === 'tool') addUser(content, path, placed, open)
    else throw invalidRequest(`${path}.role`, `${path}.role: expected user or model.`)
  }
  if (answer.length > 0) addAnswer(answer, placed)
  return placed
}

/** One of the contents of a model's answer: clients keep each event of a stream as one. */
interface FunctionAnswer {
  content: SaidContent
  index: number
}

function addInstructions(instruction: GenerateRequest['systemInstruction'], placed: Placed[]): void {
  if (instruction === null || instruction === undefined || instruction === '') return
  const path = 'systemInstruction'
  if (typeof instruction === 'string') {
    placed.push({
      message: { role: 'system', content: [{ kind: 'text', text: instruction }] },
      path,
      blocks: [path],
    })
    return
  }
  const content: ContentBlock[] = []
  const blocks: string[] = []
  for (const [at, part] of partsOf(instruction).entries()) {
    if (textOf(part) === '') continue
    const where = `${path}.parts[${at}]`
    content.push(parsePart(part, where))
    blocks.push(where)
  }
  if (content.length > 0) placed.push({ message: { role: 'system', content }, path, blocks })
}

function addUser(turn: SaidContent, path: string, placed: Placed[], open: OpenCall[]): void {
  const content: ContentBlock[] = []
  const blocks: string[] = []
  let results = 0
  for (const [at, part] of partsOf(turn).entries()) {
    const where = `${path}.parts[${at}]`
    if (kindOf(part, where) === 'functionResponse') {
      const message = parseResult(part, where, open)
      results++
      if (message.role === 'tool') {
        placed.push({ message, path: where, blocks: message.content.map(() => where) })
        continue
      }
      content.push(...message.content)
      blocks.push(...message.content.map(() => where))
      continue
    }
    content.push(parsePart(part, where))
    blocks.push(where)
  }
  if (content.length === 0 && results > 0) return
  if (content.length === 0) content.push({ kind: 'text', text: '' })
  placed.push({ message: { role: 'user', content }, path, blocks })
}

/** Returns the calls of this answer, for which results may follow. */
function addAnswer(answer: readonly FunctionAnswer[], placed: Placed[]): OpenCall[] {
  const all = answer.flatMap(({ content, index }) =>
    partsOf(content).map((part, at) => ({
      part,
      path: `contents[${index}].parts[${at}]`,
      id: `call_${index}_${at}`,
    })),
  )
  // Other vendors' signed thoughts include their text, so text of shown thoughts would be a repetition.
  const isProven = all.some(({ part }) => isForeignProof(signatureOf(part) ?? ''))
  const content: ContentBlock[] = []
  const blocks: string[] = []
  const calls: OpenCall[] = []
  for (const { part, path, id } of all) {
    for (const block of answerBlocks(part, path, { isProven, id })) {
      if (block.kind === 'tool-call') calls.push({ id: block.id, name: block.name })
      content.push(block)
      blocks.push(path)
    }
  }
  const path = `contents[${answer[0]!.index}]`
  if (content.length > 0) placed.push({ message: { role: 'assistant', content }, path, blocks })
  return calls
}

function answerBlocks(
  part: SaidPart,
  path: string,
  { isProven, id }: { isProven: boolean; id: string },
): ContentBlock[] {
  const signature = signatureOf(part)
  if (part['thought'] === true) {
    if (isProven && !isForeignProof(signature ?? '')) return []
    return signature === undefined
      ? plainThought(part)
      : parseProofs(signature).map((one) => withText(one, part))
  }
  const proofs = signature === undefined ? [] : parseProofs(signature)
  const kind = kindOf(part, path)
  if (kind === undefined || textOf(part) === '') return proofs
  return [...proofs, kind === 'functionCall' ? parseCall(part, path, id) : parsePart(part, path)]
}

/** A thought without a signature, which any vendor may read. */
function plainThought(part: SaidPart): ReasoningBlock[] {
  const text = textOf(part) ?? ''
  return text === '' ? [] : [{ kind: 'reasoning', text }]
}

/** Google signs a thought together with its text. */
function withText(block: ReasoningBlock, part: SaidPart): ReasoningBlock {
  const { encrypted, ...rest } = block
  const text = textOf(part) ?? ''
  if (block.text !== '' || text === '' || encrypted === undefined) return block
  return { ...rest, text, signature: encrypted }
}

function parseCall(part: SaidPart, path: string, madeId: string): ContentBlock {
  const call = objectMember(part, 'functionCall', path)
  const where = `${path}.functionCall`
  const args = call['args'] === undefined || call['args'] === null ? {} : objectMember(call, 'args', where)
  return {
    kind: 'tool-call',
    id: ownId(part) ?? madeId,
    name: textMember(call, 'name', where),
    arguments: JSON.stringify(args),
    variant: 'function',
  }
}

function ownId(part: SaidPart): string | undefined {
  const { id } = (part['functionCall'] ?? {}) as { id?: unknown }
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** A result without an open call becomes text: a client that shortens a conversation may keep it alone. */
function parseResult(part: SaidPart, path: string, open: OpenCall[]): Message {
  const result = objectMember(part, 'functionResponse', path)
  const where = `${path}.functionResponse`
  const name = textMember(result, 'name', where)
  const { id } = result
  const byId = typeof id === 'string' && id !== '' ? open.findIndex((call) => call.id === id) : -1
  const at = byId === -1 ? open.findIndex((call) => call.name === name) : byId
  const { text, failed } = resultOf(result, where)
  const media = mediaOf(result, where)
  if (at === -1) {
    const block: ContentBlock = { kind: 'text', text: `Result of the earlier call ${name}:\n${text}` }
    return { role: 'user', content: [block, ...media] }
  }
  const [call] = open.splice(at, 1)
  const content: ContentBlock[] = [{ kind: 'text', text }, ...media]
  return { role: 'tool', content, toolCallId: call!.id, name, ...(failed ? { failed } : {}) }
}

/** `output` and `error` are Google's names for what a function returned. Any other object is the result. */
function resultOf(functionResponse: SaidPart, path: string): { text: string; failed: boolean } {
  const { response } = functionResponse
  if (response === undefined || response === null) return { text: '', failed: false }
  const members = objectMember(functionResponse, 'response', path)
  const names = Object.keys(members)
  const [only] = names
  const isWord = names.length === 1 && (only === 'output' || only === 'error')
  const value = isWord ? members[only] : members
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { text, failed: isWord && only === 'error' }
}

function mediaOf({ parts }: SaidPart, path: string): ContentBlock[] {
  if (parts === undefined || parts === null) return []
  return asList(parts as SaidPart | SaidPart[]).map((part, at) => {
    const where = `${path}.parts[${at}]`
    if (typeof part !== 'object' || part === null)
      throw invalidRequest(where, `${where}: expected a part object with inlineData.`)
    return parsePart(part, where)
  })
}

function partsOf({ parts }: SaidContent): SaidPart[] {
  return asList(parts as SaidPart | SaidPart[] | undefined)
}

function textOf({ text }: SaidPart): string | undefined {
  return typeof text === 'string' ? text : undefined
}

function signatureOf({ thoughtSignature }: SaidPart): string | undefined {
  return typeof thoughtSignature === 'string' && thoughtSignature !== '' ? thoughtSignature : undefined
}
