import type { ContentBlock, Message, ModelRequest, ReasoningOptions, Tool } from '@turnpike/protocol'
import type { OutputBoundField } from '../../requests/output-bounds.ts'
import { withInstructedSchema } from '../../requests/schemas/schema-instruction.ts'
import { withDocumentsAsText } from '../../requests/text-documents.ts'
import type { VendorQuirks } from '../../vendor-quirks.ts'
import type { Target } from '../../vendor.ts'
import { effortOfBudget, fittingEffort } from '../../requests/openai-effort.ts'
import { withToolMediaApart } from './tool-media.ts'
import { holdToSchema, isStrictSchema } from '../../requests/schemas/strict-schema.ts'
import { fitCallId, fitUser } from '../../requests/openai-identifiers.ts'

/** Quirks of a server about which only the format is known. */
const plain: VendorQuirks = {
  takesStreamOptions: true,
  outputBoundField: undefined,
  reasoningBoundField: undefined,
  refusesReasoning: false,
  refusesDeveloper: false,
  takesOpenRouterWords: false,
  schemas: undefined,
}

/**
 * Adapts a request of another format to what this vendor accepts. Most vendors refuse OpenRouter's fields,
 * and models that do not think refuse reasoning settings.
 */
export function fitRequest(request: ModelRequest, target: Target): ModelRequest {
  const quirks = target.quirks ?? plain
  const instructed = quirks.schemas === 'instructed' ? withInstructedSchema(request) : request
  const plainly = withToolMediaApart(withDocumentsAsText(instructed.messages))
  const messages = plainly.map((message) => fitMessage(message, quirks))
  const tools = quirks.takesOpenRouterWords ? request.tools : request.tools.map(withoutCache)
  return {
    ...instructed,
    model: target.model,
    messages,
    tools: tools.map(withKeptPromise),
    output: holdToSchema(instructed.output, quirks.schemas),
    user: fitUser(request.user),
    reasoning: fitReasoning(request, target, quirks),
  }
}

/** Drops `strict` from a tool whose schema strict mode does not accept. */
function withKeptPromise(tool: Tool): Tool {
  if (tool.kind === 'raw' || tool.strict !== true || isStrictSchema(tool.parameters)) return tool
  const { strict: _promise, ...rest } = tool
  return rest
}

/** The longest call id that OpenAI's chat accepts, in characters. */
const maxCallIdLength = 40

/** Which name to use for the output bound if the caller's format has another one. */
export function outputBoundFieldOf({ quirks = plain, supportedParameters }: Target): OutputBoundField {
  const { outputBoundField, reasoningBoundField } = quirks
  const reasons = supportedParameters.includes('reasoning')
  return (reasons ? reasoningBoundField : undefined) ?? outputBoundField ?? 'max_tokens'
}

export function takesStreamOptions({ quirks = plain }: Target): boolean {
  return quirks.takesStreamOptions
}

function fitMessage(message: Message, quirks: VendorQuirks): Message {
  const content = message.content.flatMap((block) => fitBlock(block, quirks))
  switch (message.role) {
    case 'developer':
      return { ...message, role: quirks.refusesDeveloper ? 'system' : 'developer', content }
    case 'tool': {
      const { failed, ...result } = {
        ...message,
        content,
        toolCallId: fitCallId(message.toolCallId, maxCallIdLength),
      }
      return failed === true && quirks.takesOpenRouterWords ? { ...result, failed } : result
    }
    case 'system':
    case 'user':
    case 'assistant':
      return { ...message, content }
  }
}

function fitBlock(
  block: ContentBlock,
  { refusesReasoning, takesOpenRouterWords }: VendorQuirks,
): ContentBlock[] {
  if (block.kind === 'tool-call')
    return [{ ...withoutCache(block), id: fitCallId(block.id, maxCallIdLength) }]
  if (block.kind !== 'reasoning') return [takesOpenRouterWords ? block : withoutCache(block)]
  if (takesOpenRouterWords) return [block]
  // What another vendor signed or encrypted is of no use here.
  return refusesReasoning || block.format !== undefined ? [] : [block]
}

function withoutCache<Marked extends ContentBlock | Tool>(marked: Marked): Marked {
  if (!('cache' in marked)) return marked
  const { cache: _hint, ...rest } = marked
  return rest as Marked
}

function fitReasoning(
  { reasoning }: ModelRequest,
  { traits, supportedParameters }: Target,
  { takesOpenRouterWords }: VendorQuirks,
): ReasoningOptions | undefined {
  if (reasoning === undefined || takesOpenRouterWords) return reasoning
  const known = supportedParameters.includes('reasoning') || supportedParameters.includes('reasoning_effort')
  if (!known) return undefined
  const effort = reasoning.effort ?? effortOfBudget(reasoning.budgetTokens)
  return effort === undefined ? undefined : { effort: fittingEffort(traits.openai.efforts, effort) }
}
