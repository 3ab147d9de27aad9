"""`comal demo` as people start it: the real product behind it, and its attempts."""

import json

from .running import audited, bot_pid, press


def test_a_refund_that_ana_approves_is_paid_once_whatever_is_tried(demo):
    demo.send("refund order 1007")
    demo.until(lambda: len(demo.texts("Approvers")) == 1)

    assert "not yours" in demo.cheat("bystander")
    assert "The card is still open." in demo.cheat("own-request")
    assert "Refunds paid: 0" in demo.cheat("forged")
    assert demo.state()["stored"]["refunds"] == 0

    assert "Refunds paid: 1" in demo.cheat("twice")
    demo.cheat("forged")
    replayed = demo.cheat("replay")
    assert "Ana was told: “Already decided: ✅ Approved by Ana, " in replayed
    assert "Refunds paid by the replay: 0" in replayed
    demo.until(lambda: any("64.50 is paid back" in text for text in demo.texts("Rosa")))
    assert "executed" in demo.texts("Approvers")[0]
    assert demo.chat("Approvers")["messages"][0]["buttons"] == []
    assert demo.state()["stored"]["refunds"] == 1
    decisions = {(row["principal"], row["tool"]) for row in demo.state()["stored"]["audit"]}
    assert ("telegram:1001", "refund_order") in decisions
    assert ("telegram:1003", "resolve_verification") in decisions


def test_a_second_delivery_and_two_approvers_make_nothing_happen_twice(demo):
    bot_pid(demo)

    assert "answered once" in demo.cheat("redelivery")
    assert "Refunds paid: 1" in demo.cheat("both")

    assert demo.state()["stored"]["refunds"] == 1


def test_a_broadcast_whose_bot_is_killed_is_not_begun_again_and_its_card_says_unknown(demo):
    before = bot_pid(demo)

    said = demo.cheat("kill")

    stored = demo.state()["stored"]
    assert "outcome unknown" in said
    assert bot_pid(demo) != before
    assert 0 < stored["letters"] < 12
    assert f"killed after {stored['letters']} of 12" in said
    demo.until(lambda: "not known" in demo.texts("Rosa")[-1])
    assert "interrupted" not in demo.texts("Rosa")[-1]


def test_work_that_a_frozen_bot_ends_after_its_time_is_done_late_and_once(demo):
    bot_pid(demo)

    said = demo.cheat("freeze")

    assert "done late" in said
    assert "Labels printed: 12 for 12 customers" in said
    ends = [
        row["decision"] for row in demo.state()["stored"]["audit"] if row["tool"] == "print_labels"
    ]
    assert ends == ["act_unknown", "asked_confirmation"]


def test_what_runs_after_an_answer_is_the_hosts_doing_and_a_tap_is_a_hands(demo):
    demo.send("refund order 1001")
    demo.until(lambda: len(demo.texts("Approvers")) == 1)
    assert "Refunds paid: 1" in demo.cheat("twice")

    audit = demo.state()["stored"]["audit"]
    assert {(row["tool"], row["by"]) for row in audit} == {
        ("list_orders", "model"),
        ("refund_order", "model"),
        ("resolve_verification", "hand"),
        ("refund_order", "host"),
    }


def test_a_great_number_is_audited_digit_by_digit_and_deletes_nothing(demo):
    demo.send("delete note 9007199254740993")
    demo.until(lambda: any("Delete note?" in text for text in demo.texts("Rosa")))
    demo.send("delete note 123456789012345678901234567890")
    demo.until(lambda: any("678901234567890\n" in text for text in demo.texts("Rosa")))
    card = demo.chat("Rosa")["messages"][-1]
    press(demo, card)
    demo.until(lambda: "there is no note 1234" in demo.texts("Rosa")[-1])

    for number in ("9007199254740993", "123456789012345678901234567890"):
        demo.until(lambda told=f"note_id: {number}": told in audited(demo, "delete_note"))


def test_start_over_opens_the_shop_anew_while_the_chats_go_on(demo):
    demo.send("refund order 1001")
    demo.until(lambda: len(demo.texts("Approvers")) == 1)
    assert "Refunds paid: 1" in demo.cheat("twice")

    demo.client.post("/api/start-over").raise_for_status()

    stored = demo.state()["stored"]
    assert stored["refunds"] == 0
    assert {order["status"] for order in stored["orders"]} == {"paid"}
    assert demo.texts("Approvers")


def test_a_message_with_half_a_character_is_refused_before_it_is_in_the_chat(demo):
    fields = {"person": 1001, "chat": demo.chat("Rosa")["key"], "text": "x"}
    body = json.dumps(fields).replace('"x"', '"\\ud800"')

    answer = demo.client.post("/api/send", content=body)

    assert answer.status_code == 400
    assert demo.texts("Rosa") == []


def test_a_look_waits_until_something_is_new(demo):
    bot_pid(demo)
    version = demo.state()["version"]
    demo.send("/help")

    newer = demo.client.get("/api/state", params={"after": version}).json()

    assert newer["version"] > version
    assert any(m["text"] == "/help" for chat in newer["chats"] for m in chat["messages"])
