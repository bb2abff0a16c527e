"""Words of buttons and URLs that must not be clicked or requested automatically: they delete, buy, send or sign out.

One row per language. Whole words are compared, ignoring case. To prevent clicks on something else, add a word here.
"""

from __future__ import annotations

import re

HARMFUL_WORDS: dict[str, str] = {
    "en": (
        "delete deletes deleting remove removes removing erase destroy discard drop purge wipe reset revoke "
        "terminate deactivate disable buy purchase checkout pay payment order subscribe unsubscribe donate "
        "bid book reserve upgrade downgrade cancel logout signout logoff unregister deregister send "
        "post publish share tweet reply comment confirm accept agree approve reject decline vote report block "
        "ban kick leave quit transfer withdraw deposit refund archive trash kill shutdown restart reboot "
        "uninstall install overwrite merge deploy save apply update upload import login signin signup "
        "register invite follow unfollow like dislike print download"
    ),
    "de": (
        "löschen loeschen entfernen vernichten verwerfen kaufen bestellen bezahlen zahlen kasse abmelden "
        "ausloggen kündigen kuendigen abbestellen senden absenden abschicken veröffentlichen bestätigen "
        "bestaetigen speichern stornieren buchen reservieren spenden teilen sperren melden ändern anmelden "
        "registrieren hochladen herunterladen drucken leeren zurücksetzen"
    ),
    "fr": (
        "supprimer effacer enlever retirer détruire acheter commander payer paiement panier déconnexion "
        "deconnexion déconnecter deconnecter désabonner desabonner résilier envoyer publier confirmer "
        "enregistrer annuler réserver donner partager bloquer signaler valider connexion inscrire télécharger "
        "imprimer vider"
    ),
    "es": (
        "eliminar borrar quitar suprimir destruir comprar pagar pago pedir ordenar salir desconectar "
        "desuscribir cancelar enviar publicar confirmar guardar reservar donar compartir bloquear reportar "
        "aceptar subir descargar vaciar limpiar"
    ),
    "it": (
        "elimina eliminare cancella cancellare rimuovi rimuovere distruggi acquista acquistare compra "
        "comprare paga pagare ordina ordinare esci disconnetti annulla invia inviare pubblica conferma salva "
        "prenota dona condividi blocca svuota svuotare"
    ),
    "pt": (
        "excluir apagar remover deletar destruir comprar pagar pagamento encomendar sair desconectar cancelar "
        "enviar publicar confirmar salvar guardar reservar doar partilhar compartilhar bloquear denunciar "
        "esvaziar limpar"
    ),
    "nl": (
        "verwijderen wissen kopen bestellen betalen afrekenen uitloggen afmelden opzeggen annuleren verzenden "
        "versturen plaatsen bevestigen opslaan boeken reserveren doneren delen blokkeren leegmaken"
    ),
    "sv": (
        "radera ta-bort köp köpa beställ betala logga-ut avsluta skicka publicera bekräfta spara boka dela blockera"
    ),
    "da": ("slet fjern køb bestil betal log-ud afmeld send udgiv bekræft gem book del bloker"),
    "pl": (
        "usuń usun skasuj kup zamów zamow zapłać zaplac wyloguj anuluj wyślij wyslij opublikuj potwierdź "
        "zapisz zarezerwuj wyczyść opróżnij"
    ),
    "cs": ("smazat odstranit koupit objednat zaplatit odhlásit odhlasit zrušit odeslat zveřejnit potvrdit uložit"),
    "tr": ("sil kaldır satın öde sipariş çıkış iptal gönder yayınla onayla kaydet"),
    "ru": (
        "удалить стереть купить заказать оплатить выйти выход отписаться отменить отправить опубликовать "
        "подтвердить сохранить очистить"
    ),
    "uk": ("видалити купити замовити оплатити вийти відписатися скасувати надіслати опублікувати підтвердити зберегти"),
    "el": ("διαγραφή αγορά πληρωμή παραγγελία αποσύνδεση ακύρωση αποστολή δημοσίευση επιβεβαίωση"),
    "ar": ("حذف شراء دفع طلب خروج إلغاء إرسال نشر تأكيد حفظ"),
    "he": ("מחק קנה שלם הזמן התנתק בטל שלח פרסם אשר שמור"),
    "hi": ("हटाएं खरीदें भुगतान लॉगआउट भेजें रद्द"),
}

HARMFUL_PHRASES: tuple[str, ...] = (
    "clear all", "clear cart", "clear basket", "clear list", "clear history", "clear data", "empty bin", "empty trash",
    "empty cart", "empty basket", "empty recycle bin", "清空", "空にする", "비우기",
    "sign out", "log out", "log off", "sign in", "log in", "sign up", "place order", "add to cart",
    "add to basket", "go live", "in den warenkorb", "ajouter au panier", "se déconnecter", "mettre à jour",
    "cerrar sesión", "darse de baja", "añadir al carrito", "log uit", "logga ut", "ta bort", "log ud",
    "terminar sessão", "削除", "購入", "注文", "支払", "送信", "投稿", "確認", "退会", "ログアウト", "解約",
    "キャンセル", "删除", "刪除", "购买", "購買", "支付", "付款", "下单", "提交", "发送", "發送", "退出",
    "登出", "注销", "確定", "确认", "取消", "삭제", "구매", "결제", "주문", "로그아웃", "전송", "확인", "취소",
    "탈퇴", "ลบ", "ซื้อ", "ชำระเงิน", "ออกจากระบบ",
)  # fmt: skip

_SAFE_TO_OPEN = frozenset(
    """login signin signup register download print report post order book reserve comment share install payment checkout
    subscribe donate upgrade invite import upload publish send submit reply save apply update merge deploy like follow
    connexion inscrire imprimer télécharger panier commander anmelden registrieren herunterladen drucken kasse melden
    descargar pedir salir reportar""".split()
)
"""Words of links that only open a form or a file."""

MAX_ACTION_WORDS = 4
_WORD = re.compile(r"[^\W_]+")


def build_harmful_word_table() -> dict[str, int]:
    """Return every word as a table, for lookups in the browser."""
    words = (word for row in HARMFUL_WORDS.values() for word in row.replace("-", " ").split())
    return dict.fromkeys((word.lower() for word in words if len(word) > 2 or not word.isascii()), 1)


_ALL_WORDS = frozenset(word for row in HARMFUL_WORDS.values() for word in row.split())
_ACTION_WORDS = frozenset(word for word in _ALL_WORDS if "-" not in word) - _SAFE_TO_OPEN
_ACTION_PHRASES = tuple(phrase for phrase in HARMFUL_PHRASES if phrase not in {"sign in", "log in", "sign up"})


def is_harmful_text(text: str) -> bool:
    """Return True if the text of a link names an action that changes something: it is short and starts with one."""
    words = [word.lower() for word in _WORD.findall(text[:200])]
    if not words or len(words) > MAX_ACTION_WORDS:
        return False
    joined = " ".join(words)
    return words[0] in _ACTION_WORDS or any(joined.startswith(phrase) for phrase in _ACTION_PHRASES)
