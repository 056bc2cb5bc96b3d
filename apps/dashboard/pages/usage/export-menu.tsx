import { Button, Menu, Text } from '@mantine/core'
import { IconDownload } from '../../icons/icons.ts'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { downloadExport, saveText } from '../../api/download.ts'
import { allGroups } from '../../api/usage-queries.ts'
import { queryOf } from '../../filters/usage-filters.ts'
import { tableCsv } from './breakdown/table-csv.ts'
import { defaultBy } from './usage-search.ts'

const route = getRouteApi('/usage')

/** Exports the table, or every request behind it. The menu opens as soon as its code is loaded. */
export default function ExportMenu() {
  const [isOpen, setOpen] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Closing the menu returns the focus to the button.
    target.current?.focus()
    setOpen(true)
  }, [])
  const view = route.useSearch()
  const { by = defaultBy, against } = view
  const dimensions = against === undefined ? [by] : [by, against]
  const download = useMutation({
    mutationFn: (format: 'csv' | 'jsonl') => downloadExport({ ...queryOf(view), format }),
  })
  // Every group, also those without a row on the page.
  const table = useMutation({
    mutationFn: async () => {
      const groups = await allGroups({ ...queryOf(view), by: dimensions })
      saveText('usage.csv', 'text/csv', tableCsv(groups, dimensions))
    },
  })
  const problem = download.error ?? table.error
  return (
    <>
      <Menu position="bottom-end" width={230} opened={isOpen} onChange={setOpen}>
        <Menu.Target>
          <Button
            ref={target}
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={download.isPending || table.isPending}
          >
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => table.mutate()}>This table (CSV)</Menu.Item>
          <Menu.Item onClick={() => download.mutate('csv')}>Every request (CSV)</Menu.Item>
          <Menu.Item onClick={() => download.mutate('jsonl')}>Every request (JSON lines)</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {problem !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          Export failed: {problem.message}
        </Text>
      )}
    </>
  )
}
