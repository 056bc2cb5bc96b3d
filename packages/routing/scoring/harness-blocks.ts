/**
 * Blocks that agent harnesses add to the user's message for the model. They are not the user's own words, and
 * scorers that read them send every "hi" to the strongest model (ClawRouter #50, openclaw #25251).
 */
const harnessTags = [
  'system-reminder',
  'system_reminder',
  'environment_context',
  'environment_details',
  'environment_info',
  'workspace_info',
  'editor_context',
  'user_instructions',
  'additional_data',
  'attached_files',
  'open_and_recently_viewed_files',
  'open_files',
  'project_layout',
  'context_window',
  'reminder_instructions',
  'reminderInstructions',
  'local-command-stdout',
  'local-command-caveat',
  'command-name',
  'command-message',
  'system_information',
  'system_info',
  'system_notification',
  'ide_selection',
  'ide_opened_file',
  'session-start-hook',
  'user-prompt-submit-hook',
  'slim_prompt',
  'tool_results',
  'INSTRUCTIONS',
]

/** Stops at the next `<`: a search to the end of the text would take minutes for many unclosed tags. */
const attributes = String.raw`(?:\s[^<>]*)?`

const blocks = new RegExp(`<(${harnessTags.join('|')})${attributes}>`, 'gi')

/** Removes harness blocks, including nested and unclosed ones (an unclosed one extends to the end). */
export function withoutHarnessBlocks(text: string): string {
  if (!text.includes('<')) return text
  let kept = ''
  let from = 0
  blocks.lastIndex = 0
  for (let found = blocks.exec(text); found !== null; found = blocks.exec(text)) {
    kept += text.slice(from, found.index)
    from = endOfBlock(text, found[1]!, blocks.lastIndex)
    blocks.lastIndex = from
  }
  return from === 0 ? text : kept + text.slice(from)
}

/** The end of the block that opened before `from`; blocks of the same name may be nested in it. */
function endOfBlock(text: string, tag: string, from: number): number {
  const marks = new RegExp(`<(/?)${tag}${attributes}>`, 'gi')
  marks.lastIndex = from
  let depth = 1
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    depth += found[1] === '' ? 1 : -1
    if (depth === 0) return marks.lastIndex
  }
  return text.length
}
