import { invalidRequest, type ContentBlock, type Message, type ReasoningBlock } from '@turnpike/protocol'
import { kindOf, objectMember, parsePart, textMember } from './content.ts'
import { isForeignProof, parseProofs } from './reasoning-proof.ts'
import { asList, type GenerateRequest, type SaidContent, type SaidPart } from './request-schema.ts'

/** A message in our words, and where in the caller's body it stands. */
export interface Placed {
  message: Message
  /** `systemInstruction`, `contents[2]`, or `contents[2].parts[0]` for a tool's result. */
  path: string
  /** Which part each block of its content is of. */
  parts: number[]
}

/** A call that has no result yet. */
interface OpenCall {
  id: string
  /** Its own, which the caller made or gave back; else it has one that we made. */
  named: boolean
  name: string
}

/**
 * The conversation in our words: instructions first, then the turns. Results of functions are messages of
 * their own, each of the call that it names, or of the first open one of its function.
 * @throws {GatewayError} 400 that names the wrong member: `contents[2].parts[0].functionCall.name`
 */
export function parseContents(body: GenerateRequest): Placed[] {
  const placed: Placed[] = []
  addInstructions(body.systemInstruction, placed)
  let open: OpenCall[] = []
  for (const [index, content] of asList(body.contents).entries()) {
    const path = `contents[${index}]`
    const role = content.role ?? 'user'
    if (role === 'model') open = addAnswer(content, index, placed)
    else if (role === 'user' || role === 'function' || role === 'tool') addUser(content, path, placed, open)
    else throw invalidRequest(`${path}.role`, `${path}.role: expected user or model.`)
  }
  return placed
}

function addInstructions(said: GenerateRequest['systemInstruction'], placed: Placed[]): void {
  if (said === null || said === undefined || said === '') return
  const path = 'systemInstruction'
  if (typeof said === 'string') {
    placed.push({ message: { role: 'system', content: [{ kind: 'text', text: said }] }, path, parts: [0] })
    return
  }
  const content: ContentBlock[] = []
  const parts: number[] = []
  for (const [at, part] of partsOf(said).entries()) {
    if (textOf(part) === '') continue
    content.push(parsePart(part, `${path}.parts[${at}]`))
    parts.push(at)
  }
  if (content.length > 0) placed.push({ message: { role: 'system', content }, path, parts })
}

function addUser(said: SaidContent, path: string, placed: Placed[], open: OpenCall[]): void {
  const content: ContentBlock[] = []
  const parts: number[] = []
  let results = 0
  for (const [at, part] of partsOf(said).entries()) {
    const where = `${path}.parts[${at}]`
    if (kindOf(part, where) === 'functionResponse') {
      const message = parseResult(part, where, open)
      results++
      if (message.role === 'tool') {
        placed.push({ message, path: where, parts: [at] })
        continue
      }
      content.push(...message.content)
    } else content.push(parsePart(part, where))
    parts.push(at)
  }
  if (content.length === 0 && results > 0) return
  if (content.length === 0) content.push({ kind: 'text', text: '' })
  placed.push({ message: { role: 'user', content }, path, parts })
}

/** The calls of this answer, of which results may come. */
function addAnswer(said: SaidContent, index: number, placed: Placed[]): OpenCall[] {
  const path = `contents[${index}]`
  const all = partsOf(said)
  // Signed thoughts of other vendors hold their text: what is shown of them would be said twice.
  const isProven = all.some((part) => isForeignProof(signatureOf(part) ?? ''))
  const content: ContentBlock[] = []
  const parts: number[] = []
  const calls: OpenCall[] = []
  for (const [at, part] of all.entries()) {
    const where = `${path}.parts[${at}]`
    for (const block of answerBlocks(part, where, { isProven, id: `call_${index}_${at}` })) {
      if (block.kind === 'tool-call')
        calls.push({ id: block.id, name: block.name, named: ownId(part) !== undefined })
      content.push(block)
      parts.push(at)
    }
  }
  placed.push({ message: { role: 'assistant', content }, path, parts })
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

/** What any model could have thought. */
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

/** A result of no open call is told as text: whoever shortens a conversation may keep the one alone. */
function parseResult(part: SaidPart, path: string, open: OpenCall[]): Message {
  const said = objectMember(part, 'functionResponse', path)
  const where = `${path}.functionResponse`
  const name = textMember(said, 'name', where)
  const { id } = said
  const byId = typeof id === 'string' && id !== '' ? open.findIndex((call) => call.id === id) : -1
  const at = byId === -1 ? open.findIndex((call) => call.name === name) : byId
  const { text, failed } = resultOf(said, where)
  const media = mediaOf(said, where)
  if (at === -1) {
    const told: ContentBlock = { kind: 'text', text: `Result of the earlier call ${name}:\n${text}` }
    return { role: 'user', content: [told, ...media] }
  }
  const [call] = open.splice(at, 1)
  const content: ContentBlock[] = [{ kind: 'text', text }, ...media]
  return { role: 'tool', content, toolCallId: call!.id, name, ...(failed ? { failed } : {}) }
}

/** `output` and `error` are Google's own words for what a function gave; any other object is the result. */
function resultOf(said: SaidPart, path: string): { text: string; failed: boolean } {
  const { response } = said
  if (response === undefined || response === null) return { text: '', failed: false }
  const members = objectMember(said, 'response', path)
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
