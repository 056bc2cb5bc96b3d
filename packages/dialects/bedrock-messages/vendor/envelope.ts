import { isObject } from '../../json/object.ts'
import { withMembers, type Member } from '../../json/members.ts'
import { scanObject } from '../../json/scan.ts'
import type { WrappedBody, Envelope } from '../../vendor.ts'
import { platformMark } from './answer.ts'

type Changes = Map<string, string | undefined>

/** Settings that the body may have only with a beta, or never ("Extra inputs are not permitted"). */
const settings: Readonly<Record<string, string | undefined>> = {
  context_management: 'context-management-2025-06-27',
  diagnostics: undefined,
  // Whether something more expensive is paid for was checked earlier. These values mean that nothing is.
  service_tier: undefined,
  speed: undefined,
  inference_geo: undefined,
  billing_policy: undefined,
}
/** The same for a tool (anthropics/claude-code#82549), which is sent without them. */
const toolSettings: Readonly<Record<string, string | undefined>> = {
  defer_loading: 'tool-search-tool-2025-10-19',
  input_examples: 'tool-examples-2025-10-29',
  eager_input_streaming: undefined,
}
const anyToolSetting = new RegExp(`"(?:${Object.keys(toolSettings).join('|')})"`)

/**
 * Anthropic's body in `InvokeModel`: the model and whether to stream are in the path, the version and the
 * betas in the body.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 */
export const invokeEnvelope: Envelope = { betasInBody: true, wrap }

function wrap(body: Buffer, betas: readonly string[]): WrappedBody {
  const changes: Changes = new Map([
    ['model', undefined],
    ['stream', undefined],
    ['anthropic_version', '"bedrock-2023-05-31"'],
    ['anthropic_beta', betas.length === 0 ? undefined : JSON.stringify(betas)],
  ])
  const { members } = scanObject(body)
  const leftOut: string[] = []
  for (const member of members) {
    // With these, the guardrail would only check marked parts of a prompt; the operator decides that.
    if (member.key.startsWith(platformMark) || isRefused(settings, member.key, betas)) {
      changes.set(member.key, undefined)
      leftOut.push(member.key)
    } else if (member.key === 'tools') leftOut.push(...cleanTools(body, member, betas, changes))
  }
  return { body: withMembers(body, members, changes), leftOut }
}

function isRefused(
  refused: Readonly<Record<string, string | undefined>>,
  name: string,
  betas: readonly string[],
): boolean {
  if (!Object.hasOwn(refused, name)) return false
  const beta = refused[name]
  return beta === undefined || !betas.includes(beta)
}

/** Notes changes of the tools: none if no tool has such a setting, so that the caller's bytes stay. */
function cleanTools(
  body: Buffer,
  { valueStart, end }: Member,
  betas: readonly string[],
  changes: Changes,
): string[] {
  const text = body.toString('utf8', valueStart, end)
  if (!anyToolSetting.test(text)) return []
  const tools: unknown = JSON.parse(text)
  if (!Array.isArray(tools)) return []
  const leftOut: string[] = []
  const kept = tools.map((tool: unknown, index) => {
    if (!isObject(tool)) return tool
    const members = Object.entries(tool).filter(([name]) => {
      const refused = isRefused(toolSettings, name, betas)
      if (refused) leftOut.push(`tools[${index}].${name}`)
      return !refused
    })
    return Object.fromEntries(members)
  })
  if (leftOut.length > 0) changes.set('tools', JSON.stringify(kept))
  return leftOut
}
