import type { Command } from '../program/command.ts'
import { entry, type CommandEntry, type CommandSection } from './command-section.ts'

/** Every command, in the help's order. Its file is loaded when needed: loading dominates the start time. */
export const sections: readonly CommandSection[] = [
  {
    title: 'Account',
    commands: [
      entry('login', 'Log in with your browser.', () => import('./login/login.ts')),
      entry('logout', 'Forget the login and the cached API key.', () => import('./logout/logout.ts')),
      entry('whoami', 'Show who is logged in, and the balance.', () => import('./whoami/whoami.ts')),
      entry(
        'sessions list',
        'List where you are signed in, and connected apps.',
        () => import('./sessions/list.ts'),
      ),
      entry('sessions end', 'Sign out elsewhere, or disconnect an app.', () => import('./sessions/end.ts')),
      entry('account close', 'Close your account permanently.', () => import('./account/close.ts')),
    ],
  },
  {
    title: 'Keys',
    commands: [
      entry('keys create', 'Create an API key.', () => import('./keys/create.ts')),
      entry('keys list', 'List your API keys.', () => import('./keys/list.ts')),
      entry('keys show', "Show an API key's balance and limits.", () => import('./keys/show.ts')),
      entry('keys update', "Change an API key's name or limits.", () => import('./keys/update.ts')),
      entry('keys rotate', 'Replace an API key with a new one.', () => import('./keys/rotate.ts')),
      entry('keys revoke', 'Revoke an API key permanently.', () => import('./keys/revoke.ts')),
      entry(
        'keys transfer',
        'Move credit from one of your keys to another.',
        () => import('./keys/transfer.ts'),
      ),
    ],
  },
  {
    title: 'Credit',
    commands: [
      entry('balance', 'Show the total credit.', () => import('./balance/balance.ts')),
      entry('topup', 'Add credit.', () => import('./topup/topup.ts')),
      entry('auto-topup show', 'Show automatic top-up and its state.', () => import('./auto-topup/show.ts')),
      entry('auto-topup set', 'Turn on automatic top-up.', () => import('./auto-topup/set.ts')),
      entry('auto-topup off', 'Turn off automatic top-up.', () => import('./auto-topup/off.ts')),
      entry('payment-methods list', 'List saved payment methods.', () => import('./payment-methods/list.ts')),
      entry(
        'payment-methods remove',
        'Remove a payment method.',
        () => import('./payment-methods/remove.ts'),
      ),
      entry('usage', 'Show usage and cost.', () => import('./usage/usage.ts')),
      entry(
        'requests show',
        'Show one request, or its prompt and answer.',
        () => import('./requests/show.ts'),
      ),
      entry('ledger', 'List the movements of your credit.', () => import('./ledger/ledger.ts')),
    ],
  },
  {
    title: 'Your own keys of vendors',
    commands: [
      entry('vendor-keys list', 'List your own vendor keys.', () => import('./vendor-keys/list.ts')),
      entry('vendor-keys show', 'Show a vendor key.', () => import('./vendor-keys/show.ts')),
      entry('vendor-keys add', 'Add your own vendor key.', () => import('./vendor-keys/add.ts')),
      entry(
        'vendor-keys update',
        "Change a vendor key's name, position or fallback.",
        () => import('./vendor-keys/update.ts'),
      ),
      entry(
        'vendor-keys replace',
        "Replace a vendor key's secret.",
        () => import('./vendor-keys/replace.ts'),
      ),
      entry('vendor-keys delete', 'Delete a vendor key.', () => import('./vendor-keys/delete.ts')),
    ],
  },
  {
    title: 'Budgets, alerts and webhooks',
    commands: [
      entry('budgets list', 'List budgets and their spending.', () => import('./budgets/list.ts')),
      entry('budgets show', 'Show a budget: spent, left, next reset.', () => import('./budgets/show.ts')),
      entry(
        'budgets report',
        "Compare a budget's days with the ledger.",
        () => import('./budgets/report.ts'),
      ),
      entry('budgets create', 'Create a budget.', () => import('./budgets/create.ts')),
      entry('budgets update', 'Change a budget.', () => import('./budgets/update.ts')),
      entry('budgets delete', 'Delete a budget.', () => import('./budgets/delete.ts')),
      entry('alerts list', 'List alerts and which are on.', () => import('./alerts/list.ts')),
      entry('alerts set', 'Turn an alert on or off.', () => import('./alerts/set.ts')),
      entry('alerts events', 'List events.', () => import('./alerts/events.ts')),
      entry('webhooks list', 'List webhook and mail targets.', () => import('./webhooks/list.ts')),
      entry('webhooks show', 'Show a webhook or mail target.', () => import('./webhooks/show.ts')),
      entry('webhooks create', 'Send events to a webhook, or by mail.', () => import('./webhooks/create.ts')),
      entry('webhooks update', 'Change, disable or enable a target.', () => import('./webhooks/update.ts')),
      entry('webhooks delete', 'Delete a target.', () => import('./webhooks/delete.ts')),
      entry(
        'webhooks rotate-secret',
        "Replace a webhook's signing secret.",
        () => import('./webhooks/rotate-secret.ts'),
      ),
      entry('webhooks test', 'Send a test event and show the response.', () => import('./webhooks/test.ts')),
      entry('webhooks confirm', 'Resend a confirmation mail.', () => import('./webhooks/confirm.ts')),
      entry('webhooks deliveries', 'List event deliveries.', () => import('./webhooks/deliveries.ts')),
      entry(
        'webhooks delivery',
        "Show a delivery's attempts and responses.",
        () => import('./webhooks/delivery.ts'),
      ),
      entry('webhooks redeliver', 'Redeliver an event.', () => import('./webhooks/redeliver.ts')),
    ],
  },
  {
    title: 'Organizations',
    commands: [
      entry('org list', 'List your organizations.', () => import('./org/list.ts')),
      entry('org create', 'Create an organization.', () => import('./org/create.ts')),
      entry('org members', 'List the members of an organization.', () => import('./org/members.ts')),
      entry('org invite', 'Create an invitation link.', () => import('./org/invite.ts')),
      entry('org join', 'Join an organization with an invitation link.', () => import('./org/join.ts')),
      entry('org remove', 'Remove a member.', () => import('./org/remove.ts')),
      entry('org leave', 'Leave an organization.', () => import('./org/leave.ts')),
      entry('projects list', 'List projects.', () => import('./projects/list.ts')),
      entry('projects create', 'Create a project.', () => import('./projects/create.ts')),
      entry('projects archive', 'Archive a project.', () => import('./projects/archive.ts')),
    ],
  },
  {
    title: 'Prompt log',
    commands: [
      entry('log show', "Show the prompt log's settings.", () => import('./log/state.ts')),
      entry('log set', 'Turn the prompt log on or off.', () => import('./log/set.ts')),
      entry('log delete', 'Delete kept prompts and answers.', () => import('./log/delete.ts')),
    ],
  },
  {
    title: 'Models',
    commands: [
      entry('chat', 'Chat with a model.', () => import('./chat/chat.ts')),
      entry('test', 'Check gateway and API key with one tiny request.', () => import('./test/test.ts')),
      entry('models', 'List callable models and their prices.', () => import('./models/models.ts')),
      entry(
        'route',
        'Explain which model auto-routing would pick for a prompt.',
        () => import('./route/route.ts'),
      ),
      entry('env', 'Print environment variables for OpenAI clients.', () => import('./env/env.ts')),
    ],
  },
  {
    title: 'Shell and agents',
    commands: [
      entry('mcp', 'Run an MCP server for agents.', () => import('./mcp/mcp.ts')),
      entry('completion', 'Print a shell completion script.', () => import('./completion/completion.ts')),
    ],
  },
]

export const entries: readonly CommandEntry[] = sections.flatMap((section) => section.commands)

export async function loadCommand({ name, summary, load }: CommandEntry): Promise<Command> {
  return { name, summary, ...(await load()).default }
}

export const groups: Readonly<Record<string, string>> = {
  sessions: 'See where you are signed in, and end it.',
  account: 'Close your account.',
  keys: 'Create, list, change and revoke API keys.',
  'auto-topup': 'Turn on automatic top-up.',
  'payment-methods': 'What automatic top-ups are charged to.',
  'vendor-keys': 'Your own keys of vendors, by which requests go first.',
  budgets: 'What may be spent, on what, in what time.',
  alerts: 'What you are told of by itself, and what happened.',
  webhooks: 'Where events are told, webhooks and mail, and how that went.',
  org: 'Organizations: make them, join them, see who belongs to them.',
  projects: 'What keys are for.',
  requests: 'See single requests.',
  log: 'Keep prompts and answers, and delete them.',
}
