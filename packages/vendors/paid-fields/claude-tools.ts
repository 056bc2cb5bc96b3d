/** Claude's tools that the caller runs. */
export const freeTools = [
  'function',
  'custom',
  'bash_20241022',
  'bash_20250124',
  'browser_toolset_20260801',
  'computer_20241022',
  'computer_20250124',
  'computer_20251124',
  'computer_toolset_20260801',
  'memory_20250818',
  'text_editor_20241022',
  'text_editor_20250124',
  'text_editor_20250429',
  'text_editor_20250728',
]
