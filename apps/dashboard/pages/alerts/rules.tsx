import { Alert, Button, Group, Paper, Skeleton, Stack, Switch, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { FormProblems, isAtField } from '../../components/forms/field-error.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { rulesQuery, targetsQuery, type AlertRule } from './alert-queries.ts'
import { AmountField } from '../../components/forms/amount-field.tsx'
import { TextField, type TextFieldProps } from '../../components/forms/text-field.tsx'

interface Words {
  title: string
  description: string
  /** The label of the days field. */
  days?: string
}

const words: Record<AlertRule['kind'], Words> = {
  balance: { title: 'Credit is low', description: 'When the balance falls below an amount.' },
  runway: {
    title: 'Credit will run out soon',
    description: 'When the balance, at the pace of the last seven days, lasts for fewer days.',
    days: 'Fewer days than',
  },
  unusual_spend: {
    title: 'Unusual spend',
    description: 'When an hour costs five times as much as the same hour over the last two weeks.',
  },
  key_expiry: {
    title: 'A key is about to expire',
    description: 'And again one day before it expires.',
    days: 'Days before',
  },
}

/** The account's automatic alerts. The thresholds of budgets are set on the budgets page. */
export function Rules() {
  const query = useQuery(rulesQuery)
  const { data: targets } = useQuery(targetsQuery)
  const hasRecipient = targets?.data.some(({ status }) => status === 'active') !== false
  return (
    <Loaded query={query} skeleton={<Skeleton height={420} radius="lg" />}>
      {({ data }) => (
        <Stack gap="md" maw={880}>
          {!hasRecipient && (
            <Alert
              variant="outline"
              color="orange"
              bg="var(--mantine-color-body)"
              title="No recipients yet"
              styles={{ title: { color: 'var(--mantine-color-text)' } }}
            >
              <PageLink to="/alerts" search={{ show: 'recipients' }}>
                Add a recipient
              </PageLink>
            </Alert>
          )}
          {data.map((rule) => (
            <Rule key={`${rule.kind} ${rule.enabled} ${rule.threshold_usd} ${rule.days}`} rule={rule} />
          ))}
          <Text size="sm" c="dimmed">
            Budget thresholds are set on the{' '}
            <PageLink to="/budgets" underline="always">
              budgets page
            </PageLink>
            . Events about top-ups, members and failing recipients are always sent.
          </Text>
        </Stack>
      )}
    </Loaded>
  )
}

function Rule({ rule }: { rule: AlertRule }) {
  const { title, description } = words[rule.kind]
  const [isOn, setOn] = useState(rule.enabled)
  const [threshold, setThreshold] = useState(rule.threshold_usd ?? '')
  const [days, setDays] = useState(String(rule.days ?? ''))
  const change = useChange('alerts', undefined, () => {
    const body = {
      enabled: isOn,
      ...(rule.kind === 'balance' && threshold.trim() !== '' && { threshold_usd: threshold.trim() }),
      ...(rule.days !== null && { days: Number(days) }),
    }
    return api.PUT('/api/v1/alerts/{kind}', { params: { path: { kind: rule.kind } }, body })
  })
  const isChanged =
    isOn !== rule.enabled || threshold !== (rule.threshold_usd ?? '') || days !== String(rule.days ?? '')
  const hasFields = rule.kind === 'balance' || rule.days !== null
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        <Group justify="space-between" align="flex-start" gap="md" wrap="nowrap">
          <div>
            <Group gap="xs">
              <Title order={2} size="h5">
                {title}
              </Title>
              {rule.raised && <StateBadge color="orange">notified</StateBadge>}
            </Group>
            <Text size="sm" c="dimmed" mt={2}>
              {description}
            </Text>
          </div>
          <Switch
            aria-label={title}
            checked={isOn}
            onChange={(event) => setOn(event.currentTarget.checked)}
          />
        </Group>
        <FormProblems error={change.error}>
          {(hasFields || isChanged) && (
            <Group align="flex-end" gap="sm" mt="sm">
              {rule.kind === 'balance' && <ThresholdField value={threshold} onChange={setThreshold} />}
              {rule.days !== null && (
                <DaysField label={words[rule.kind].days ?? 'Days'} value={days} onChange={setDays} />
              )}
              {isChanged && (
                <Button type="submit" loading={change.isPending}>
                  Save
                </Button>
              )}
            </Group>
          )}
        </FormProblems>
        {change.error !== null && !isAtField(change.error, ['threshold_usd', 'days']) && (
          <FailureNote error={change.error} />
        )}
      </form>
    </Paper>
  )
}

function ThresholdField(props: Pick<TextFieldProps, 'value' | 'onChange'>) {
  return <AmountField name="threshold_usd" label="Below" w={160} {...props} />
}

function DaysField(props: Pick<TextFieldProps, 'label' | 'value' | 'onChange'>) {
  return <TextField name="days" inputMode="numeric" w={160} {...props} />
}
