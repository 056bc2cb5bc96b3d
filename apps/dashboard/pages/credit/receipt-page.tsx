import { Button, Skeleton, Text } from '@mantine/core'
import { IconArrowLeft, IconPrinter } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { readQuery } from '../../api/read-query.ts'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { ReceiptSheet } from './receipt-sheet.tsx'
import classes from './receipt.module.css'

const route = getRouteApi('/credit/receipts/$sessionId')

const receiptQuery = (sessionId: string) =>
  readQuery(['topup', sessionId, 'receipt'], '/api/v1/topup/{session_id}/receipt', {
    path: { session_id: sessionId },
  })

/** A payment's receipt for bookkeeping, to print or to save. */
export function ReceiptPage() {
  const { sessionId } = route.useParams()
  const query = useQuery({ ...receiptQuery(sessionId), placeholderData: undefined })
  useEffect(() => {
    // The browser suggests this as the name of the file it prints to.
    document.title = `Receipt ${sessionId}`
  }, [sessionId])
  return (
    <div className={classes.page}>
      <PageLink to="/credit" className="no-print" mb="xs" display="inline-block">
        <IconArrowLeft size={14} aria-hidden /> Credit
      </PageLink>
      <PageHeader
        title="Receipt"
        description={
          <Text component="span" size="sm" ff="monospace" className={classes.number}>
            {sessionId}
          </Text>
        }
      >
        <Button
          className="no-print"
          disabled={query.data === undefined}
          leftSection={<IconPrinter size={16} />}
          onClick={() => globalThis.print()}
        >
          Print
        </Button>
      </PageHeader>
      <Loaded query={query} skeleton={<Skeleton height={560} radius="lg" />}>
        {(receipt) => <ReceiptSheet receipt={receipt} />}
      </Loaded>
    </div>
  )
}
