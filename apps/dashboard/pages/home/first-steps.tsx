import { Tabs, Text, ThemeIcon } from '@mantine/core'
import { IconCheck } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { modelsQuery } from '../../api/queries.ts'
import { useRawKeys } from '../../api/raw-keys.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Panel } from '../../components/panel.tsx'
import { exactUsd, parseUsd } from '../../format/money.ts'
import classes from './first-steps.module.css'
import { firstModel } from '../../api/first-model.ts'
import { PageButton } from '../../components/page-link.tsx'
import { keyPlaceholder, snippetLanguages, snippets } from './snippets.ts'

interface FirstStepsProps {
  account: Schemas['Account']
  keys: Schemas['Key'][]
}

/** Key, credit, request: completed steps are ticked off. */
export function FirstSteps({ account, keys }: FirstStepsProps) {
  const hasKey = keys.some(({ status }) => status === 'active')
  const hasCredit = parseUsd(account.balance_usd) + parseUsd(account.unassigned_usd) > 0n
  return (
    <Panel title="Three steps to the first request">
      <ol className={classes.steps}>
        <Step number={1} isDone={hasKey} title="Create a key">
          {hasKey ? (
            <Told>
              You have one. Give each program its own key: all keys can spend the credit of the account.
            </Told>
          ) : (
            <>
              <Told>Programs authenticate with a key, and spending is tracked by key.</Told>
              <PageButton to="/keys" search={{ action: 'new' }} size="sm" mt="xs">
                Create a key
              </PageButton>
            </>
          )}
        </Step>
        <Step number={2} isDone={hasCredit} title="Add credit">
          {hasCredit ? (
            <Told>You have {exactUsd(account.balance_usd)} to spend.</Told>
          ) : (
            <>
              <Told>Requests are paid from credit, so they can never cost more than you have.</Told>
              <PageButton to="/credit" size="sm" mt="xs" variant={hasKey ? 'filled' : 'default'}>
                Add credit
              </PageButton>
            </>
          )}
        </Step>
        <Step number={3} isDone={false} title="Send a request">
          <FirstRequest keys={keys} />
        </Step>
      </ol>
    </Panel>
  )
}

interface StepProps {
  number: number
  isDone: boolean
  title: string
  children: ReactNode
}

function Step({ number, isDone, title, children }: StepProps) {
  return (
    <li className={classes.step}>
      <ThemeIcon size={30} radius="xl" variant={isDone ? 'filled' : 'light'} aria-hidden>
        {isDone ? <IconCheck size={17} /> : <span className={classes.number}>{number}</span>}
      </ThemeIcon>
      <div className={classes.content}>
        <Text fw={600} lh="30px">
          {title}
          {isDone && <span className={classes.done}> (done)</span>}
        </Text>
        {children}
      </div>
    </li>
  )
}

function Told({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}

function FirstRequest({ keys }: { keys: Schemas['Key'][] }) {
  const { data: models } = useQuery(modelsQuery)
  const rawKeys = useRawKeys()
  const known = keys.map(({ id }) => rawKeys.get(id)).find((raw) => raw !== undefined)
  const facts = {
    baseUrl: `${location.origin}/v1`,
    key: known ?? keyPlaceholder,
    model: firstModel(models?.data ?? []),
  }
  return (
    <>
      <Told>
        {known === undefined
          ? 'Insert your key and run it.'
          : 'It contains your new key and is ready to run.'}
      </Told>
      <Tabs defaultValue="curl" mt="xs">
        <Tabs.List>
          {snippetLanguages.map((language) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippetLanguages.map((language) => (
          <Tabs.Panel key={language} value={language} pt="sm">
            <CodeBlock code={snippets[language](facts)} label={`First request in ${language}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
