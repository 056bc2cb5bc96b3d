import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export const completion = command({
  name: 'completion',
  summary: 'Print a script that completes commands in your shell.',
  arguments: { shell: { kind: 'one', description: 'Which shell', choices: shells } },
  options: {},
  fields: ['shell', 'script'],
  examples: [
    { does: 'bash, in ~/.bashrc', line: 'source <(turnpike completion bash)' },
    { does: 'zsh, in ~/.zshrc behind compinit', line: 'source <(turnpike completion zsh)' },
    { does: 'fish', line: 'turnpike completion fish > ~/.config/fish/completions/turnpike.fish' },
  ],
  async run(_context, { shell }) {
    // Loaded late, since the list of commands holds this one.
    const [{ commands, groups }, scripts] = await Promise.all([
      import('../all-commands.ts'),
      import('./scripts.ts'),
    ])
    const words = scripts.wordsOf(commands, groups)
    const script = scripts.scriptFor(shell as (typeof shells)[number], words)
    return record({ shell, script }, () => script)
  },
})
