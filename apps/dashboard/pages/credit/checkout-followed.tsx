import { Alert, Button, Group, Loader, Text } from '@mantine/core'
import { IconCircleCheck, IconClockX, IconExternalLink } from '../../icons/icons.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Schemas } from '../../api/client.ts'
import { readQuery } from '../../api/read-query.ts'
import { makeStale } from '../../api/stale.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { exactUsd } from '../../format/money.ts'
import { ReceiptLink } from './receipt-link.tsx'

const route = getRouteApi('/credit')
const pollMs = 2_000

const topupQuery = (sessionId: string) =>
  queryOptions({
    ...readQuery(['topup', sessionId], '/api/v1/topup/{session_id}', { path: { session_id: sessionId } }),
    refetchInterval: ({ state }) => (state.data?.status === 'open' ? pollMs : false),
    refetchIntervalInBackground: true,
  })

interface CheckoutFollowedProps {
  sessionId: string
  /** Whether its tab was opened; undefined: this page did not open it. */
  isOpen: boolean | undefined
}

/** The state of a checkout, updated live. */
export function CheckoutFollowed({ sessionId, isOpen }: CheckoutFollowedProps) {
  const { show } = route.useSearch()
  const navigate = route.useNavigate()
  const queryClient = useQueryClient()
  const { data: topup, error } = useQuery({ ...topupQuery(sessionId), placeholderData: undefined })
  const status = topup?.status
  useEffect(() => {
    if (status !== undefined && status !== 'open') void makeStale(queryClient, 'credit')
  }, [status, queryClient])
  if (topup === undefined) return error === null ? null : <FailureNote error={error} />
  const close = () => void navigate({ search: show === undefined ? {} : { show }, replace: true })
  return (
    <div role="status">
      {topup.status === 'open' ? (
        <Open topup={topup} isOpen={isOpen} onClose={close} />
      ) : (
        <Ended topup={topup} onClose={close} />
      )}
    </div>
  )
}

interface FollowedProps {
  topup: Schemas['Topup']
  onClose: () => void
}

function Open({ topup, isOpen, onClose }: FollowedProps & { isOpen: boolean | undefined }) {
  return (
    <Alert
      variant="light"
      color="blue"
      icon={<Loader size={18} color="blue" />}
      title={`Waiting for a payment of ${exactUsd(topup.amount_usd)}`}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onClose}
    >
      <Text size="sm">
        {isOpen === true && 'Pay in the tab that has opened. This page updates by itself.'}
        {isOpen === false && 'Your browser blocked the checkout. Open it here. This page updates by itself.'}
        {isOpen === undefined && 'Pay at the checkout. This page updates by itself.'}
        {topup.sandbox && ' This is a sandbox: no real money moves.'}
      </Text>
      {topup.checkout_url !== null && (
        <Group mt="sm">
          <Button
            size="xs"
            variant={isOpen === true ? 'default' : 'filled'}
            component="a"
            href={topup.checkout_url}
            target="_blank"
            rel="noopener"
            rightSection={<IconExternalLink size={14} />}
          >
            Open the checkout
          </Button>
        </Group>
      )}
    </Alert>
  )
}

function Ended({ topup, onClose }: FollowedProps) {
  const isPaid = topup.status === 'paid'
  return (
    <Alert
      variant="light"
      color={isPaid ? 'teal' : 'yellow'}
      icon={isPaid ? <IconCircleCheck size={20} /> : <IconClockX size={20} />}
      title={isPaid ? `${exactUsd(topup.paid_usd)} received` : endings[topup.status]}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Text size="sm">
        {isPaid ? 'The credit is available now. ' : 'Start a new checkout to add credit.'}
        {isPaid && <ReceiptLink sessionId={topup.session_id} />}
      </Text>
    </Alert>
  )
}

const endings: Record<Schemas['Topup']['status'], string> = {
  open: '',
  paid: '',
  expired: 'This checkout has expired. Nothing was paid',
  refunded: 'This payment was reversed',
}
