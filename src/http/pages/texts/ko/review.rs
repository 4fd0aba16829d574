//! Texts about the review of clients in Korean.

use crate::http::pages::texts::{MessageTemplate, PluralMessage, ReviewTexts};

pub(super) const KO: ReviewTexts = ReviewTexts {
    // A client's page.
    label: "검토",
    verified: "확인됨",
    unverified: "확인되지 않음",
    assumed: "아직 검토 전",
    verified_by: MessageTemplate("확인한 사람: {}"),
    unverified_lead: "관리자가 아직 확인하지 않은 클라이언트예요. 사용자에게도 그렇게 보이고, 오류가 나면 사용자가 직접 눌러야 앱으로 돌아가요.",
    verified_lead: "이름을 바꾸거나 리디렉션 URI를 추가하면 관리자가 다시 확인해야 해요.",

    // The review.
    count: PluralMessage {
        one: "검토할 클라이언트 {}개",
        other: "검토할 클라이언트 {}개",
    },
    list: "검토할 클라이언트",
    list_lead: "관리자가 확인하지 않은 클라이언트예요. “아직 검토 전”인 클라이언트는 검토 기능이 생기기 전에 등록되어 확인된 것으로 처리돼요.",
    list_empty: "검토할 클라이언트가 없어요.",
    verify: "확인하기",
    verify_title: MessageTemplate("{} 클라이언트를 확인할까요?"),
    verify_effect: "확인되지 않았다는 안내가 사라지고, 오류가 나면 사용자를 바로 앱으로 돌려보내요. 이름과 소유자, 사용자가 가게 될 주소를 살펴보세요.",
    owner: MessageTemplate("소유자: {}"),
    redirect_uri: MessageTemplate("리디렉션 URI: {}"),
    take_back: "확인 취소",
    take_back_title: MessageTemplate("{} 클라이언트의 확인을 취소할까요?"),
    take_back_effect: "사용자에게 확인되지 않았다고 안내하고, 오류가 나면 사용자가 직접 눌러야 앱으로 돌아가요. 이미 허용한 접근은 그대로예요.",
    done_verified: "클라이언트를 확인했어요.",
    done_taken_back: "확인을 취소했어요.",

    // Pages of an authorization.
    registered_by: MessageTemplate(
        "{} 님이 등록한 앱이에요. 관리자가 아직 확인하지 않았으니, 등록한 사람을 믿을 때만 허용해 주세요.",
    ),
    not_sent_back: MessageTemplate(
        "관리자가 확인하지 않은 앱이에요. 앱({})으로 돌아가려면 아래 버튼을 눌러 주세요.",
    ),
    go_to: MessageTemplate("{}(으)로 가기"),
};
