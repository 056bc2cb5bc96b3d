import { command } from '../../program/command.ts'

export default command({
  details: [
    'Runs an MCP server on stdin and stdout, for agents such as Claude Code, Claude Desktop, ' +
      'Cursor and VS Code, which start it themselves. Its tools list models and prices, ask a model, ' +
      'explain routing, show balance, usage and keys, create keys, and start top-ups that a person ' +
      "pays. It uses this machine's login and cached key.",
    'It uses the login and the cached key of this machine, as all commands do.',
  ],
  fields: [],
  examples: [
    { does: 'Add it to Claude Code', line: 'claude mcp add turnpike -- turnpike mcp' },
    {
      does: 'See what it offers',
      line: 'npx @modelcontextprotocol/inspector turnpike mcp',
    },
  ],
  async run(context) {
    if (context.input.isTTY) {
      context.output.insist('MCP server: waiting for a client on standard input. Ctrl-C quits.')
    }
    const { serve } = await import('./server.ts')
    await serve(context)
    return undefined
  },
})
