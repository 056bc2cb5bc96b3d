import { Anchor, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { makeStale } from '../../../api/stale.ts'
import { Money } from '../../../components/money.tsx'
import { StateBadge } from '../../../components/state-badge.tsx'
import { relativeTo } from '../../../format/time.ts'
import type { AutoTopup } from './auto-queries.ts'

/** Whether it is on, and what it is doing or waiting for. */
export function AutoTopupState({ auto }: { auto: AutoTopup }) {
  const [label, color] = stateOf(auto)
  useFreshCredit(auto.charged_this_month_usd)
  return (
    <div>
      <Group gap="sm">
        <StateBadge color={color}>{label}</StateBadge>
        <Text size="sm" c="dimmed">
          <Money amount={auto.charged_this_month_usd} /> charged this month
          {auto.monthly_cap_usd !== null && (
            <>
              {' '}
              of at most <Money amount={auto.monthly_cap_usd} />
            </>
          )}
        </Text>
      </Group>
      <Why auto={auto} />
    </div>
  )
}

/** A new charge also changes the balance and the list of top-ups. */
function useFreshCredit(charged: string): void {
  const queryClient = useQueryClient()
  const shown = useRef(charged)
  useEffect(() => {
    if (shown.current === charged) return
    shown.current = charged
    void makeStale(queryClient, 'credit')
  }, [charged, queryClient])
}

function stateOf({ enabled, state, is_capped: isCapped }: AutoTopup): [string, string] {
  if (state === 'stopped') return ['stopped', 'red']
  if (!enabled) return ['off', 'gray']
  if (state === 'charging') return ['charging now', 'blue']
  if (state === 'needs_action') return ['needs your confirmation', 'orange']
  if (state === 'waiting') return ['will retry', 'orange']
  return isCapped ? ['monthly cap reached', 'orange'] : ['on', 'teal']
}

function Why({ auto }: { auto: AutoTopup }) {
  const { state, failure, action_url: actionUrl, next_attempt_at: next, attempts_failed: failed } = auto
  if (state === 'needs_action' && actionUrl !== null)
    return (
      <Text size="sm" mt="xs">
        Your bank wants you to confirm the payment:{' '}
        <Anchor href={actionUrl} size="sm" underline="always" target="_blank" rel="noreferrer">
          confirm it at the checkout
        </Anchor>
        .
      </Text>
    )
  const why = failure === null ? '' : `: ${failure.replaceAll('_', ' ')}`
  if (state === 'waiting')
    return (
      <Text size="sm" mt="xs">
        The last attempt failed{why}. {next !== null && `The next one is ${relativeTo(next, Date.now())}.`}
      </Text>
    )
  if (state === 'stopped' && (failure === 'refunded' || failure === 'disputed'))
    return (
      <Text size="sm" mt="xs">
        A payment was {failure}, so automatic top-up is paused. Save the settings again to resume.
      </Text>
    )
  if (state === 'stopped')
    return (
      <Text size="sm" mt="xs">
        {failed} attempts failed in a row{why}. Save the settings again to resume, ideally with another
        payment method.
      </Text>
    )
  return null
}
