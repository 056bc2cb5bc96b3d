import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { entries, groups, loadCommand } from '../all-commands.ts'
import { scriptFor, wordsOf } from './scripts.ts'

const shells = ['bash', 'zsh', 'fish'] as const

export default command({
  arguments: { shell: { kind: 'one', description: 'Which shell', choices: shells } },
  fields: ['shell', 'script'],
  examples: [
    { does: 'bash, in ~/.bashrc', line: 'source <(turnpike completion bash)' },
    { does: 'zsh, in ~/.zshrc behind compinit', line: 'source <(turnpike completion zsh)' },
    { does: 'fish', line: 'turnpike completion fish > ~/.config/fish/completions/turnpike.fish' },
  ],
  async run(_context, { shell }) {
    const words = wordsOf(await Promise.all(entries.map(loadCommand)), groups)
    const script = scriptFor(shell as (typeof shells)[number], words)
    return record({ shell, script }, () => script)
  },
})
