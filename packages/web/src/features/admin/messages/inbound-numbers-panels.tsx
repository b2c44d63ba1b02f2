import { Button, TextInput } from "@mantine/core";
import type { InboundNumberAnswer, UserAnswer } from "@ewebal/contract";
import { inboundCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { phoneOf } from "../../../shared/numbers/phone-of.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Columns } from "../../../ui/layout/columns.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { CustomerSelect } from "../customer-select.tsx";

const listKey = ["admin", "inbound-numbers"] as const;

/** Whose each number is that people write to: giving one to a customer, and taking it back. */
export function InboundNumbersPanels({ adminId }: { adminId: string }) {
  return (
    <Columns shares="2 to 3">
      <AssignPanel adminId={adminId} />
      <NumbersPanel adminId={adminId} />
    </Columns>
  );
}

function AssignPanel({ adminId }: { adminId: string }) {
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<UserAnswer>();
  const form = useForm({
    initial: { userID: "", number: "", keyword: "" },
    missing: ({ userID, number }) => [
      ...(userID === "" ? ["a customer"] : []),
      ...(/[0-9]{3}/.test(number.replaceAll(/[^0-9]/g, "")) ? [] : ["a number"]),
    ],
    send: async ({ userID, number, keyword }) => {
      const body = { userID, number, ...(keyword.trim() !== "" && { keyword }) };
      const { message } = await call(inboundCalls.assignNumber, { params: { adminId }, body });
      showNotice({ title: message });
      setChosen(undefined);
      for (const name of ["userID", "number", "keyword"] as const) form.set(name, "");
      await queryClient.invalidateQueries({ queryKey: listKey });
    },
  });
  return (
    <Panel title="Assign a number">
      <Form form={form}>
        <CustomerSelect
          value={chosen}
          error={form.field("userID").error}
          onChange={(next) => {
            setChosen(next);
            form.set("userID", next?._id ?? "");
          }}
        />
        <TextInput
          label="Number or short code"
          description="Include the country code; a leading 0 means Nigeria."
          inputMode="tel"
          autoComplete="off"
          {...form.field("number")}
        />
        <TextInput
          label="Keyword"
          description="For a number that customers share: the first word of the messages that are this customer's. Leave it empty to give the whole number."
          autoComplete="off"
          {...form.field("keyword")}
        />
        <Refusal screen="service" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Assign the number
        </SubmitButton>
      </Form>
    </Panel>
  );
}

function NumbersPanel({ adminId }: { adminId: string }) {
  const list = useCursorList<InboundNumberAnswer>({
    queryKey: listKey,
    read: async (after, signal) =>
      await call(inboundCalls.viewNumbers, { query: after === undefined ? {} : { after }, signal }),
  });
  const unassign = useUnassign(adminId);
  const columns: Column<InboundNumberAnswer>[] = [
    { title: "Number", isHeading: true, cell: ({ number }) => <span className="numeric">{phoneOf(number)}</span> },
    { title: "Keyword", cell: ({ keyword }) => keyword ?? "Whole number" },
    { title: "Customer", cell: ({ userName }) => userName },
    { title: "Assigned", cell: ({ createdAt }) => <RelativeTime iso={createdAt} />, width: "18%" },
    {
      title: "Take back",
      isActions: true,
      width: "20%",
      cell: (row) => (
        <Button
          size="xs"
          variant="default"
          aria-label={`Take ${nameOf(row)} from ${row.userName}`}
          onClick={() => void unassign(row)}
        >
          Take back
        </Button>
      ),
    },
  ];
  return (
    <Panel title="Numbers and keywords">
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{ title: "No number is assigned", text: "Messages to a number go to the customer whom you give it to." }}
      >
        <DataTable
          caption="Numbers and keywords of customers"
          columns={columns}
          rows={list.rows}
          rowKey={({ _id }) => _id}
        />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

function nameOf({ number, keyword }: InboundNumberAnswer): string {
  return keyword === undefined ? phoneOf(number) : `${keyword} of ${phoneOf(number)}`;
}

function useUnassign(adminId: string): (row: InboundNumberAnswer) => Promise<void> {
  const queryClient = useQueryClient();
  return async (row) => {
    const text = "New messages will be nobody's. What came in so far stays with the customer.";
    if (!(await confirm({ title: `About to take ${nameOf(row)} from ${row.userName}?`, text }))) return;
    try {
      const params = { adminId, numberId: row._id };
      const { message } = await call(inboundCalls.unassignNumber, { params });
      showNotice({ title: message });
    } catch (error) {
      showNotice({
        tone: "error",
        title: "Unable to take the number back",
        text: error instanceof Error ? error.message : "",
      });
    }
    await queryClient.invalidateQueries({ queryKey: listKey });
  };
}
