/** What one model takes of the Messages API: Claude's versions differ in what they refuse. */
export interface ClaudeModel {
  /**
   * How it thinks: for a budget of tokens (`enabled`), as much as it sees fit (`adaptive`), either, or never
   * (https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting).
   */
  thinking: 'none' | 'budget' | 'either' | 'adaptive'
  /** How it is kept from thinking: `absent` where it only does when asked, `never` where it always does. */
  thinkingOff: 'absent' | 'disabled' | 'between_tools' | 'never'
  /** Levels of `output_config.effort`, weakest first. */
  efforts: readonly string[]
  /** Takes `temperature`, `top_p` and `top_k`; the others only the values that change nothing. */
  sampling: boolean
  temperatureWithTopP: boolean
  /** Takes `tool_choice` `any` and `tool`. */
  forcedTools: boolean
  /** Takes `output_config.format`. */
  structuredOutput: boolean
  /** Takes `system` turns within the conversation. */
  systemTurns: boolean
}

const efforts = ['low', 'medium', 'high', 'xhigh', 'max']

/** A model that is not Claude's, behind an endpoint that speaks the same format: the plainest words. */
const otherModel: ClaudeModel = {
  thinking: 'budget',
  thinkingOff: 'absent',
  efforts: [],
  sampling: true,
  temperatureWithTopP: true,
  forcedTools: true,
  structuredOutput: false,
  systemTurns: false,
}

/**
 * By the model's name at the vendor, whatever a platform puts around it (`anthropic.claude-opus-4-6-v1`,
 * `claude-sonnet-4-5@20250929`). A version that came after this was written is taken for the latest known.
 */
export function claudeModel(name: string): ClaudeModel {
  if (!name.includes('claude')) return otherModel
  const { family, version } = parsedName(name)
  return {
    thinking: thinkingOf(version),
    thinkingOff: thinkingOffOf(family, version),
    efforts: effortsOf(family, version),
    sampling: version < 4.65,
    temperatureWithTopP: version < 4.1,
    forcedTools: version < 5.1 || family === 'haiku',
    structuredOutput: version >= 4.5,
    systemTurns: version >= 4.8,
  }
}

const latestVersion = 5.5

/** `claude-mythos-preview` stands between the versions 4.6 and 4.7: it takes the words of both. */
const previewVersion = 4.65

function parsedName(name: string): { family: string; version: number } {
  const named = /claude-([a-z]+)-(\d)(?:[-.](\d)(?!\d))?(?!\d)/.exec(name)
  if (named !== null) return { family: named[1]!, version: Number(`${named[2]!}.${named[3] ?? 0}`) }
  const numbered = /claude-(?:v|instant-v?)?(\d)(?:[-.](\d)(?!\d))?(?:-([a-z]+))?/.exec(name)
  if (numbered !== null) {
    return { family: numbered[3] ?? '', version: Number(`${numbered[1]!}.${numbered[2] ?? 0}`) }
  }
  const family = /claude-([a-z]+)/.exec(name)?.[1] ?? ''
  return { family, version: name.includes('preview') ? previewVersion : latestVersion }
}

function thinkingOf(version: number): ClaudeModel['thinking'] {
  if (version < 3.7) return 'none'
  if (version < 4.6) return 'budget'
  return version <= previewVersion ? 'either' : 'adaptive'
}

function thinkingOffOf(family: string, version: number): ClaudeModel['thinkingOff'] {
  if (family === 'fable' || family === 'mythos') return 'never'
  if (version < 5) return 'absent'
  if (family === 'haiku' || version < 5.5) return 'disabled'
  return family === 'sonnet' ? 'between_tools' : 'never'
}

/** https://platform.claude.com/docs/en/build-with-claude/effort */
function effortsOf(family: string, version: number): string[] {
  if (version > previewVersion) return efforts
  if (version >= 4.6) return efforts.filter((effort) => effort !== 'xhigh')
  return family === 'opus' && version === 4.5 ? efforts.slice(0, 3) : []
}
